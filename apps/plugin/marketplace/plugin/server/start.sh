#!/bin/sh
# Starts the tools of this session; `atrium join` puts the plugin and the path of a Node beside this file.
here=${0%/*}
{ read -r home < "$here/../hooks/home"; } 2>/dev/null || home=$HOME/.atrium
{ read -r node < "$here/node"; } 2>/dev/null
[ -x "$node" ] || node=node
exec "$node" "$here/atrium-plugin.mjs" "$home"

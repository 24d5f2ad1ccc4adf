#!/bin/sh
# Hands one hook event to the Atrium of this machine, which makes signals of it. The word names the program.
#
# Nothing here stops the program: nothing is printed and the exit code is 0. This file is in a folder of Atrium's home;
# `signals.curl` in the home has the address and the secret, while Atrium is open.
program=$1
address=${0%/*}/../signals.curl
# The program writes all of it, whether someone reads it or not.
away() {
  cat > /dev/null
  exit 0
}
{ read -r _ server < "$address"; } 2>/dev/null || away
kill -0 "$server" 2>/dev/null || away

curl -q -s -K "$address" --noproxy '*' --connect-timeout 1 --max-time 2 -o /dev/null \
  -H 'Content-Type: application/json' -H 'Expect:' -H "X-Atrium-Program: $program" \
  --data-binary @- 2>/dev/null || away
exit 0

#!/bin/sh
# Waits in the background of an idle session of Claude Code until someone leaves a message in Atrium, then wakes it:
# the words on stderr and exit code 2. The program starts it anew at the end of every turn; Atrium lets the earlier go.

# Others would wait for it.
[ -n "$CLAUDE_PID" ] || exit 0
[ -z "$ATRIUM_AGENT$SYNTHESIS_CLAUDE_SESSION" ] || exit 0
{ read -r home < "${0%/*}/home"; } 2>/dev/null || home=$HOME/.atrium
address=$home/joined.curl
{ read -r _ server < "$address"; } 2>/dev/null || exit 0
kill -0 "$server" 2>/dev/null || exit 0

nl='
'
body=$(cat)
tries=0
# While Atrium is restarted it is tried again, for ten minutes.
while [ $tries -lt 600 ] && kill -0 "$CLAUDE_PID" 2>/dev/null; do
  out=$(printf '%s' "$body" | curl -q -s -K "$address" --noproxy '*' --connect-timeout 1 \
    -H 'Content-Type: application/json' -H 'Expect:' -H "X-Atrium-Pid: $CLAUDE_PID" \
    -H 'X-Atrium-Wait: yes' --data-binary @- -w "\\n%{http_code}" 2>/dev/null)
  case ${out##*"$nl"} in
    200)
      printf '%s\n' "${out%"$nl"*}" >&2
      exit 2
      ;;
    '' | 000 | 5*)
      tries=$((tries + 1))
      sleep 1
      ;;
    *) exit 0 ;;
  esac
done
exit 0

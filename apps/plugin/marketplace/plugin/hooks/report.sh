#!/bin/sh
# Reports one hook event to the Atrium of this machine and prints what it answers.
#
# Nothing here stops the program: without Atrium there is no output, exit code 0 and no delay. `home` beside this
# file names Atrium's home folder; `joined.curl` in it has the address and the secret, while Atrium is open.

# The second word names the program where its settings do; the others show by what they report.
event=$1
program=$2
# The program writes all of it, whether someone reads it or not; one that cannot may say that the hook has failed.
away() {
  cat > /dev/null
  exit 0
}
# A session that Atrium started itself is in the office already.
[ -z "$ATRIUM_AGENT$SYNTHESIS_CLAUDE_SESSION" ] || away
{ read -r home < "${0%/*}/home"; } 2>/dev/null || home=$HOME/.atrium
address=$home/joined.curl
{ read -r _ server < "$address"; } 2>/dev/null || away
kill -0 "$server" 2>/dev/null || away

nl='
'
body=$(cat)
branch=
request=
case $event in
  SessionStart | UserPromptSubmit | BeforeAgent) branch=$(git rev-parse --abbrev-ref HEAD 2>/dev/null) ;;
  PermissionRequest) request=$(od -An -N12 -tx1 /dev/urandom 2>/dev/null | tr -d ' \n') ;;
esac
# The programs that are asked in Atrium although that keeps their own dialog closed.
{ read -r ask < "${0%/*}/ask-here"; } 2>/dev/null || ask=
# Hooks are children of their program, unless a shell stands between. Codex's are of one that outlives the session.
pid=$CLAUDE_PID
if [ -z "$pid" ] && { read -r parent < "/proc/$PPID/comm"; } 2>/dev/null; then
  case $parent in
    sh | ash | dash | bash | zsh | ksh | codex*) ;;
    *) pid=$PPID ;;
  esac
fi

# With a connection refused this takes about ten milliseconds.
send() {
  printf '%s' "$body" | curl -q -s -K "$address" --noproxy '*' --connect-timeout 1 $1 \
    -H 'Content-Type: application/json' -H 'Expect:' \
    -H "X-Atrium-Owner: ${USER:-$LOGNAME}" -H "X-Atrium-Pid: $pid" \
    -H "X-Atrium-Branch: $branch" -H "X-Atrium-Request: $request" -H "X-Atrium-Ask: $ask" \
    -H "X-Atrium-Program: $program" \
    --data-binary @- -w "\\n%{http_code}" 2>/dev/null
}

# The answer is printed; false when Atrium was cut off or is closing.
answer() {
  out=$(send "$1")
  code=$?
  status=${out##*"$nl"}
  case $status in
    200) printf '%s' "${out%"$nl"*}" ;;
    '' | 000 | 5*) return 1 ;;
  esac
}

if [ "$event" != PermissionRequest ]; then
  # Sessions that end wait less for their hooks.
  limit=4
  [ "$event" != SessionEnd ] || limit=2
  answer "--max-time $limit"
  exit 0
fi

# Codes of curl: nobody listens there, or there is no curl.
answer || [ "$code" = 7 ] || [ "$code" = 28 ] || [ "$code" = 127 ] || {
  # Atrium was there and went: it is asked the same again, while someone waits for the answer. In Claude Code that is ten
  # minutes, because its dialog is open; others open theirs only once this ends.
  tries=0
  patience=600
  [ -n "$CLAUDE_PID" ] || patience=5
  while [ $tries -lt $patience ] && kill -0 "${CLAUDE_PID:-$PPID}" 2>/dev/null; do
    tries=$((tries + 1))
    sleep 1
    ! answer || break
  done
}
exit 0

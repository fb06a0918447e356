# What was begun of a stripe and what is done, on the disk before it is done: whoever comes after a script that was killed
# knows what is half built and that it is ours.
# shellcheck shell=sh

records=/var/lib/stripewise/stripes

# A file as a whole or not at all, also where the host dies.
#   write_file PATH MODE < text
write_file() {
  cat > "$1.new" && chmod "$2" "$1.new" && sync "$1.new" && mv "$1.new" "$1" && sync "${1%/*}" || fail "could not write $1"
}

# What a record says of something; nothing where there is none.
recorded() { [ -f "$records/$1/$2" ] && cat "$records/$1/$2"; }

is_done() { grep -qx -e "$2" "$records/$1/done" 2> /dev/null; }

# One step of several, once. A step that was begun and is not done is done again.
#   once RECORD STEP FUNCTION
once() {
  begin "$2"
  if is_done "$1" "$2"; then
    say 'done before'
    return
  fi
  changed=yes
  "$3"
  { recorded "$1" done; printf '%s\n' "$2"; } | write_file "$records/$1/done" 600
}

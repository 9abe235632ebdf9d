#!/usr/bin/env bash
# An installation that cannot succeed changes nothing and says what to do: without the library, which quickstart.sh does not
# build; with a prefix that is not writable; with a file in place of a folder. The command of README.md builds the library.
#   test_incomplete.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1
source=$2
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

contents() { find "$1" 2>/dev/null | sort || true; }
# refused PREFIX SCRIPT TEXT...: this installation is refused with each text, and leaves the prefix as it is.
refused() {
  before=$(contents "$1")
  ! cmake -D CMAKE_INSTALL_PREFIX="$1" -P "$2" >"$folder/said.txt" 2>&1 || fail "an installation to $1 succeeds"
  said=$(tr -s ' \n' ' ' <"$folder/said.txt")
  for text in "${@:3}"; do
    [[ $said == *"$text"* ]] || fail "'$text' is missing: $said"
  done
  [ "$(contents "$1")" = "$before" ] || fail "the installation changes $1: $(contents "$1")"
}

# The installation of a build whose library is elsewhere.
sed "s,$build/lib/armilla/libarmilla\.so,$build/absent/libarmilla.so,g" "$build/cmake_install.cmake" >"$folder/no_library.cmake"
command="cmake --build $build && cmake --install $build --prefix $folder/new/usr"
refused "$folder/new/usr" "$folder/no_library.cmake" 'Nothing was installed' "$build/absent/libarmilla.so" "$command"
mkdir -p "$folder/old/bin"
touch "$folder/old/bin/armilla"
refused "$folder/old" "$folder/no_library.cmake" 'Nothing was installed'

touch "$folder/file"
refused "$folder/file" "$build/cmake_install.cmake" "$folder/file is not a folder"
mkdir "$folder/locked"
chmod a-w "$folder/locked"
if [ "$(id -u)" -eq 0 ]; then
  # Permissions do not bind root, so a stub of `test` reports the folder as not writable.
  mkdir "$folder/bin"
  printf '#!/bin/sh\n! [ "$*" = "-w %s" ]\n' "$folder/locked" >"$folder/bin/test"
  chmod a+x "$folder/bin/test"
  PATH=$folder/bin:$PATH
fi
refused "$folder/locked/usr" "$build/cmake_install.cmake" "$folder/locked is not writable"

grep -qF 'cmake --build build && cmake --install build --prefix' "$source/README.md" || fail 'README.md has another command'
if [ -f "$build/build.ninja" ]; then
  commands=$(ninja -C "$build" -t commands all)
  [[ $commands == *" -o lib/armilla/libarmilla.so"* ]] || fail "cmake --build $build builds no library"
fi
echo PASSED

# common.sh: what demo, check and setup share.  To be sourced, from any directory; leaves the caller in
# the top folder.  POSIX shell: the machine may have nothing but git and sh.

cd "$(dirname "$0")/.." || exit 1

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

have() { command -v "$1" >/dev/null 2>&1; }
have_any() { for tool; do have "$tool" && return; done; return 1; }
have_headers() { # LANGUAGE COMPILER...: the first compiler found has the standard library's headers
	language=$1
	shift
	for compiler; do
		have "$compiler" || continue
		case $language in c) header=stdio.h ;; *) header=cstdio ;; esac
		echo "#include <$header>" | "$compiler" -x "$language" -E - >/dev/null 2>&1
		return
	done
	return 1
}
is_debian() { grep -qx 'ID=debian' /etc/os-release 2>/dev/null; } # others have Chromium by ways of their own
have_module() { have pkg-config && pkg-config --exists "$1"; }

# Needs of a build, and of the tests beside it, a line each:
# Debian's package | what it is, for other systems | the test for it
needs_to_build() {
	cat <<-'NEEDS'
	gcc|a C compiler|have_any cc gcc clang
	libc6-dev|the C library's headers|have_headers c cc gcc clang
	make|make|have make
	autoconf|autoconf 2.69|have autoreconf
	automake|automake 1.15|have automake
	libtool|libtool 2.4|have libtoolize
	pkg-config|pkg-config or pkgconf|have pkg-config
	libncurses-dev|ncursesw 6|have_module ncursesw
	libyajl-dev|yajl 2|have_module yajl
	libzstd-dev|libzstd|have_module libzstd
	zlib1g-dev|zlib|have_module zlib
	libdw-dev|libdw of elfutils|have_module libdw
	NEEDS
}
needs_to_test() {
	cat <<-'NEEDS'
	g++|a C++ compiler|have_headers c++ c++ g++ clang++
	binutils|nm and size|have_any nm && have_any size
	cmake|CMake 3.13, for a test of its package|have cmake || ! have apt-get
	debhelper|what Debian packages are made with|have dh || ! have apt-get
	libcmocka-dev|cmocka|have_module cmocka
	libvterm-dev|libvterm|have_module vterm
	spin|spin|have spin
	chromium|Chromium, for the tests of the page|have_any chromium chromium-browser || ! is_debian
	nodejs|node 18, for the same|have_any node nodejs || ! is_debian
	npm|npm, for the same|have npm || ! is_debian
	NEEDS
}
needs() { needs_to_build; needs_to_test; }

# missing COLUMN prints that column of the needs that are not met, a line each.
missing() {
	needs | while IFS='|' read -r package description met; do
		eval "$met" || case $1 in
		package) echo "$package" ;;
		description) echo "$description" ;;
		esac
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		env DEBIAN_FRONTEND=noninteractive "$@"
	else
		sudo env DEBIAN_FRONTEND=noninteractive "$@"
	fi
}

# A list that cannot be renewed (one mirror is away) matters only if the install then fails.
apt_install() {
	as_root apt-get -qq -o DPkg::Lock::Timeout=300 update ||
		say "apt-get update failed; trying with the lists at hand"
	as_root apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
		install --no-install-recommends "$@"
}

# set_up installs what is missing, or says what to install.  Does nothing if nothing is missing.
set_up() {
	packages=$(missing package | tr '\n' ' ')
	packages=${packages% }
	[ -n "$packages" ] || return 0

	have apt-get || die "please install: $(missing description | paste -s -d, - | sed 's/,/, /g')"
	[ "$(id -u)" = 0 ] || have sudo || die "please run as root: apt-get install $packages"
	say "installing $packages"
	log=$(mktemp) || exit 1
	# shellcheck disable=SC2086 # a list of words
	apt_install $packages >"$log" 2>&1 || {
		cat "$log" >&2
		rm -f "$log"
		die "apt-get could not install $packages"
	}
	rm -f "$log"
	packages=$(missing package | tr '\n' ' ')
	[ -z "$packages" ] || die "still missing after the installation: $packages"
}

# browser_modules DIRECTORY: what tests/browser takes from npm goes into DIRECTORY/browser. It downloads no browser. Without
# npm or the network these tests are skipped, and say so.
browser_modules() {
	have npm && have_any chromium chromium-browser || return 0
	if [ -d "$1/browser/node_modules" ] && cmp -s tests/browser/package-lock.json "$1/browser/package-lock.json"; then
		return 0
	fi
	mkdir -p "$1/browser" && cp tests/browser/package.json tests/browser/package-lock.json "$1/browser" || return 0
	(cd "$1/browser" && npm ci --ignore-scripts --no-audit --no-fund) >"$1/browser/npm.log" 2>&1 </dev/null || {
		rm -rf "$1/browser/node_modules"
		say "npm could not install playwright-core and axe-core: the tests of the page are skipped ($1/browser/npm.log)"
	}
}

processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1; }

# quietly LOG COMMAND...: its output goes to LOG, and to the user if it fails.
quietly() {
	log=$1
	shift
	"$@" >"$log" 2>&1 </dev/null && return
	tail -n 60 "$log" >&2
	say "failed: $* (all of its output is in $log)"
	return 1
}

# present prints the package of each need that is met, a line each.  It asks for the tests' needs even in demo:
# check then configures demo's directory again only if something was installed in between.
present() {
	{ needs_to_build; needs_to_test; } | while IFS='|' read -r package description met; do
		! eval "$met" || echo "$package"
	done
}

# build DIRECTORY [configure option...]: makes everything there, and only what is out of date.  DIRECTORY/present
# is what configure could find.  If that changed, whoever installed it, configure runs again as it ran before.
build() {
	directory=$1
	shift
	mkdir -p "$directory" || return
	if ! [ -f configure ] || ! [ -f Makefile.in ]; then
		say "making configure"
		quietly "$directory/autogen.log" scripts/autogen || return
	fi
	found=$(present) source=$PWD log=$PWD/$directory/configure.log
	if ! [ -f "$directory/Makefile" ]; then
		say "configuring $directory"
		(cd "$directory" && quietly "$log" "$source/configure" "$@") || return
	elif [ "$found" != "$(cat "$directory/present" 2>/dev/null)" ]; then
		say "configuring $directory again"
		(cd "$directory" && quietly "$log" ./config.status --recheck && quietly "$log" ./config.status) || return
	fi
	echo "$found" >"$directory/present"
	say "building in $directory/; make.log there tells how far it is"
	quietly "$directory/make.log" make -C "$directory" -j"$(processors)" all
}

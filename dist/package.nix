# nix-build -E '(import <nixpkgs> { }).callPackage ./dist/package.nix { }'
{ lib, stdenv, autoreconfHook, pkg-config, ncurses, yajl }:

stdenv.mkDerivation {
  pname = "libprof";
  version = "0.1.0";
  src = lib.cleanSource ./..;

  nativeBuildInputs = [ autoreconfHook pkg-config ];
  buildInputs = [ ncurses yajl ];
  preAutoreconf = "mkdir -p build-aux/m4";
  buildFlags = [ "noinst_PROGRAMS=" "all" ];
  installFlags = [ "noinst_PROGRAMS=" ];

  meta = {
    description = "Live profiler for the terminal: zones and frames of a C or C++ program";
    license = lib.licenses.mit;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "proftop";
  };
}

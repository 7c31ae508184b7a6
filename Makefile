# SPDX-License-Identifier: BSD-3-Clause
# The commands of the README, and thin names for the presets. CMake does the work.
.PHONY: demo test build packages install deb test-deb test-readme dist rpm image test-archives asan asan-part fuzz mutants lint clang clean

# The demo installs and builds the program alone; the rest all there is.
demo:
	scripts/packages build page
	cmake --preset program
	cmake --build --preset program
	scripts/demo

# The fuzz targets first, so that the test runner has the last word.
test: build
	scripts/fuzz $${FATWOOD_FUZZ_SECONDS:-10}
	ctest --preset release

build: packages
	cmake --preset release
	cmake --build --preset release

packages:
	scripts/packages

# make install PREFIX=/opt/fatwood DESTDIR=/tmp/root
PREFIX ?= /usr/local
install:
	cmake --install build/release --prefix $(PREFIX)

# build/package/*.deb; test-deb installs them in a bare Debian (root). make test-readme SUITE=trixie
SUITE ?= bookworm
deb:
	scripts/packages build page man python mpi infiniband deb
	scripts/deb

test-deb:
	scripts/packages deb
	scripts/test-deb --suite $(SUITE)

# Every command of the README in a bare Debian (root): hours.
test-readme:
	scripts/packages deb
	scripts/test-readme --suite $(SUITE)

# build/dist/*.tar.xz: unpacked anywhere, it runs.
dist: build
	scripts/dist

# build/rpm/*.rpm and an image for containers, of that archive; test-archives tries all three in a bare Debian (root).
rpm: dist
	scripts/rpm

image: dist
	scripts/image

test-archives: dist
	scripts/packages deb
	scripts/test-archives

asan: packages
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan

# All of it compiled by clang, and the tests of the libraries.
clang: packages
	cmake --preset clang
	cmake --build --preset clang
	ctest --preset clang -E '/'

# What CI has time for: readers, repairs, jobs and the plug-in.
asan-part: packages
	cmake --preset asan
	cmake --build --preset asan-part
	ctest --preset asan-part

fuzz: packages
	scripts/fuzz

# Mistakes put into the sources, one at a time: do the tests notice?
mutants: packages
	scripts/mutants

lint: packages
	cmake --preset plain
	scripts/lint

clean:
	rm -rf build

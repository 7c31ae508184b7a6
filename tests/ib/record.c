// SPDX-License-Identifier: BSD-3-Clause
/* Preloaded into OpenSM: notes every forwarding block that it sends and every answer, on the way
 * to libibumad, in the file that FATWOOD_RECORD names. Lines, with seconds since 1970:
 *
 *   SECONDS set TRANSACTION PATH BLOCK HEX     PATH: the ports from the host on, joined by dots
 *   SECONDS answer TRANSACTION */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <endian.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kDirected = 0x81, kSet = 2, kAnswer = 0x81, kLinearTable = 0x19 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t field(const uint8_t* mad, int at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | mad[at + i];
  return value;
}

static void note(const uint8_t* mad, const char* what) {
  static FILE* file;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  pthread_mutex_lock(&lock);
  const char* path = getenv("FATWOOD_RECORD");
  if (!file && path) file = fopen(path, "a");
  if (file) {
    fprintf(file, "%lld.%06ld %s %llx", (long long)now.tv_sec, now.tv_nsec / 1000, what,
            (unsigned long long)field(mad, 12, 4));
    if (*what == 's') {
      fputc(' ', file);
      for (int hop = 1; hop <= mad[7]; ++hop)
        fprintf(file, hop == 1 ? "%u" : ".%u", (unsigned)mad[128 + hop]);
      fprintf(file, " %u ", (unsigned)field(mad, 20, 4));
      for (int i = 0; i < 64; ++i) fprintf(file, "%02x", (unsigned)mad[64 + i]);
    }
    fputc('\n', file);
    fflush(file);
  }
  pthread_mutex_unlock(&lock);
}

static int is_block(const uint8_t* mad, uint8_t method) {
  return mad[1] == kDirected && mad[3] == method && field(mad, 16, 2) == kLinearTable;
}

int umad_send(int fd, int agent, void* umad, int length, int timeout, int retries) {
  static int (*next)(int, int, void*, int, int, int);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "umad_send");
  const uint8_t* mad = umad_get_mad(umad);
  if (is_block(mad, kSet)) note(mad, "set");
  return next(fd, agent, umad, length, timeout, retries);
}

int umad_recv(int fd, void* umad, int* length, int timeout) {
  static int (*next)(int, void*, int*, int);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "umad_recv");
  const int result = next(fd, umad, length, timeout);
  const uint8_t* mad = umad_get_mad(umad);
  if (result >= 0 && !umad_status(umad) && is_block(mad, kAnswer)) note(mad, "answer");
  return result;
}

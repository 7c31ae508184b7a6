// SPDX-License-Identifier: BSD-3-Clause
/* Preloaded into OpenSM: every port says that it has two data lanes. ibsim's all have eight. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/umad.h>
#include <stdint.h>

enum { kDirected = 0x81, kAnswer = 0x81, kPortInfo = 0x15, kLanesAt = 64 + 37, kTwoLanes = 2 };

int umad_recv(int fd, void* umad, int* length, int timeout) {
  static int (*next)(int, void*, int*, int);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "umad_recv");
  const int result = next(fd, umad, length, timeout);
  uint8_t* mad = umad_get_mad(umad);
  if (result >= 0 && !umad_status(umad) && mad[1] == kDirected && mad[3] == kAnswer &&
      mad[16] == 0 && mad[17] == kPortInfo)
    mad[kLanesAt] = (uint8_t)(kTwoLanes << 4 | (mad[kLanesAt] & 15));
  return result;
}

// SPDX-License-Identifier: BSD-3-Clause
/* Asks the subnet administrator for the path between each two end-ports and prints the service
 * levels as `ibdmchk -c` and `fatwood verify --sl` read them:
 *
 *   0x<GUID of the source node> <destination LID, decimal> <service level>
 *
 * Standard input has a line "0x<GUID of the node> <LID, decimal>" for each LID. A path that the
 * administrator does not have is left out, and counted on standard error. */
#include <inttypes.h>

#include "sa.h"

/* A path record as it travels. */
struct path_record {
  uint8_t service[8], dgid[16], sgid[16];
  uint16_t dlid, slid; /* big-endian, as all here */
  uint32_t hop_flow;
  uint8_t traffic_class, paths;
  uint16_t pkey, qos_sl; /* the level is the low four bits */
  uint8_t mtu, rate, life, preference, reserved[6];
};
_Static_assert(sizeof(struct path_record) == 64, "a path record has 64 bytes");

enum { kPathRecord = 0x35, kMost = 4096 };
static const uint64_t kDlid = 1U << 4, kSlid = 1U << 5;

struct end {
  uint64_t guid;
  uint16_t lid;
};

int main(void) {
  static struct end ends[kMost];
  size_t count = 0;
  unsigned missing = 0;
  while (count < kMost && scanf("%" SCNx64 " %" SCNu16, &ends[count].guid, &ends[count].lid) == 2)
    ++count;
  struct sa sa;
  if (count == 0 || count == kMost || sa_open(&sa)) return 2;
  for (size_t from = 0; from < count; ++from) {
    for (size_t to = 0; to < count; ++to) {
      if (ends[from].guid == ends[to].guid) continue;
      struct path_record path = {.slid = htobe16(ends[from].lid), .dlid = htobe16(ends[to].lid)};
      const int status =
          sa_ask(&sa, UMAD_METHOD_GET, kPathRecord, kDlid | kSlid, &path, sizeof path);
      if (status < 0) return 2;
      if (status) {
        ++missing;
        continue;
      }
      if (be16toh(path.slid) != ends[from].lid || be16toh(path.dlid) != ends[to].lid) return 2;
      printf("0x%016" PRIx64 " %u %u\n", ends[from].guid, ends[to].lid, be16toh(path.qos_sl) & 15);
    }
  }
  sa_close(&sa);
  if (missing) fprintf(stderr, "levels: %u paths are not known\n", missing);
  return missing ? 1 : 0;
}

// SPDX-License-Identifier: BSD-3-Clause
/* Joins the host it runs on (in ibsim: SIM_HOST) to the multicast group that OpenSM makes for
 * broadcasts over IP, as a full member. Prints the group's LID. */
#include <infiniband/umad_sa_mcm.h>

#include "sa.h"

int main(void) {
  static const uint8_t group[16] = {0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0,    0,
                                    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff};
  struct sa sa;
  if (sa_open(&sa)) return 2;
  struct umad_sa_mcmember_record record = {.scope_state = UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER};
  memcpy(record.mgid, group, sizeof group);
  memcpy(record.portgid, &sa.port.gid_prefix, 8);
  memcpy(record.portgid + 8, &sa.port.port_guid, 8);
  const int status = sa_ask(&sa, UMAD_METHOD_SET, UMAD_SA_ATTR_MCMEMBER_REC,
                            UMAD_SA_MCM_COMP_MASK_MGID | UMAD_SA_MCM_COMP_MASK_PORT_GID |
                                UMAD_SA_MCM_COMP_MASK_JOIN_STATE,
                            &record, sizeof record);
  sa_close(&sa);
  if (status < 0) return 2;
  if (status)
    fprintf(stderr, "join: the subnet manager says 0x%x\n", (unsigned)status);
  else
    printf("0x%04X\n", be16toh(record.mlid));
  return status ? 1 : 0;
}

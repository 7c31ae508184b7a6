/* Joins the host it runs on (in ibsim: SIM_HOST) to the multicast group that OpenSM makes for
 * broadcasts over IP, as a full member. Prints the group's LID. */
#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTimeoutMs = 2000, kQkey = 0x80010000 };

static void fill(struct umad_sa_packet* packet, const umad_port_t* port) {
  static const uint8_t group[16] = {0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0,    0,
                                    0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff};
  struct umad_sa_mcmember_record record = {.scope_state = UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER};
  memcpy(record.mgid, group, sizeof group);
  memcpy(record.portgid, &port->gid_prefix, 8);
  memcpy(record.portgid + 8, &port->port_guid, 8);
  packet->mad_hdr.base_version = 1;
  packet->mad_hdr.mgmt_class = UMAD_CLASS_SUBN_ADM;
  packet->mad_hdr.class_version = UMAD_SA_CLASS_VERSION;
  packet->mad_hdr.method = UMAD_METHOD_SET;
  packet->mad_hdr.tid = htobe64(1);
  packet->mad_hdr.attr_id = htobe16(UMAD_SA_ATTR_MCMEMBER_REC);
  packet->comp_mask = htobe64(UMAD_SA_MCM_COMP_MASK_MGID | UMAD_SA_MCM_COMP_MASK_PORT_GID |
                              UMAD_SA_MCM_COMP_MASK_JOIN_STATE);
  memcpy(packet->data, &record, sizeof record);
}

int main(void) {
  umad_port_t port;
  if (umad_init() < 0 || umad_get_port(NULL, 0, &port) < 0) return 2;
  const int id = umad_open_port(NULL, 0);
  const int agent =
      id < 0 ? -1 : umad_register(id, UMAD_CLASS_SUBN_ADM, UMAD_SA_CLASS_VERSION, 0, NULL);
  void* umad = umad_alloc(1, umad_size() + sizeof(struct umad_sa_packet));
  if (agent < 0 || !umad) return 2;
  struct umad_sa_packet* packet = umad_get_mad(umad);
  fill(packet, &port);
  umad_set_addr(umad, (int)port.sm_lid, 1, (int)port.sm_sl, kQkey);
  int length = sizeof *packet;
  if (umad_send(id, agent, umad, length, kTimeoutMs, 3) < 0) return 2;
  if (umad_recv(id, umad, &length, 4 * kTimeoutMs) < 0) return 2;
  const unsigned status = be16toh(packet->mad_hdr.status);
  struct umad_sa_mcmember_record record;
  memcpy(&record, packet->data, sizeof record);
  if (status)
    fprintf(stderr, "join: the subnet manager says 0x%x\n", status);
  else
    printf("0x%04X\n", be16toh(record.mlid));
  umad_close_port(id);
  return status ? 1 : 0;
}

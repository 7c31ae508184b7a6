// SPDX-License-Identifier: BSD-3-Clause
/* Makes a switch forget its forwarding table, as one that was started again too fast for the subnet
 * manager to miss it: every entry becomes 255 and the highest LID 0.
 *
 *   forget BLOCKS PORT...     the ports that lead to the switch, from the host's own on */
#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A directed-route packet as it travels. */
struct packet {
  uint8_t base, class, version, method;
  uint16_t status;
  uint8_t hop, hops;
  uint64_t transaction;
  uint16_t attribute, reserved1;
  uint32_t modifier;
  uint64_t key;
  uint16_t slid, dlid;
  uint8_t reserved2[28], data[64], path[64], back[64];
};
_Static_assert(sizeof(struct packet) == 256, "a management packet has 256 bytes");

enum { kGet = 1, kSet = 2, kSwitchInfo = 0x12, kLinearTable = 0x19, kTimeoutMs = 60000 };

static int id, agent;
static void* umad;
static uint8_t way[64];
static uint8_t hops;
static uint64_t asked;

static int ask(uint8_t method, uint16_t attribute, uint32_t modifier, uint8_t data[64]) {
  struct packet* packet = umad_get_mad(umad);
  memset(packet, 0, sizeof *packet);
  packet->base = packet->version = 1;
  packet->class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
  packet->method = method;
  packet->hops = hops;
  packet->transaction = htobe64(++asked);
  packet->attribute = htobe16(attribute);
  packet->modifier = htobe32(modifier);
  packet->slid = packet->dlid = 0xffff;
  memcpy(packet->data, data, 64);
  memcpy(packet->path, way, sizeof way);
  umad_set_addr(umad, 0xffff, 0, 0, 0);
  int length = sizeof *packet;
  if (umad_send(id, agent, umad, length, kTimeoutMs, 3) < 0) return -1;
  if (umad_recv(id, umad, &length, 4 * kTimeoutMs) < 0 || umad_status(umad)) return -1;
  memcpy(data, packet->data, 64);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3 || argc > 60) return 2;
  for (int i = 2; i < argc; ++i) way[++hops] = (uint8_t)atoi(argv[i]);
  if (umad_init() < 0 || (id = umad_open_port(NULL, 0)) < 0) return 2;
  agent = umad_register(id, UMAD_CLASS_SUBN_DIRECTED_ROUTE, 1, 0, NULL);
  umad = umad_alloc(1, umad_size() + sizeof(struct packet));
  if (agent < 0 || !umad) return 2;
  uint8_t data[64] = {0};
  if (ask(kGet, kSwitchInfo, 0, data)) return 1;
  data[6] = data[7] = 0;    /* the highest LID */
  data[11] &= (uint8_t)~4U; /* a port has changed: that stays as it is */
  if (ask(kSet, kSwitchInfo, 0, data)) return 1;
  for (uint32_t block = 0; block < (uint32_t)atoi(argv[1]); ++block) {
    memset(data, 255, sizeof data);
    if (ask(kSet, kLinearTable, block, data)) return 1;
  }
  umad_free(umad);
  umad_close_port(id);
  return 0;
}

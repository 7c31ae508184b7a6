// SPDX-License-Identifier: BSD-3-Clause
/* Questions to the subnet administrator of the fabric that the program runs in (in ibsim: of
 * SIM_HOST's): one packet there, one back. */
#ifndef FATWOOD_TESTS_IB_SA_H
#define FATWOOD_TESTS_IB_SA_H

#include <endian.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sa {
  umad_port_t port;
  int id, agent;
  void* umad;
  uint64_t asked; /* transactions so far */
};

static inline int sa_open(struct sa* sa) {
  memset(sa, 0, sizeof *sa);
  if (umad_init() < 0 || umad_get_port(NULL, 0, &sa->port) < 0) return -1;
  sa->id = umad_open_port(NULL, 0);
  if (sa->id < 0) return -1;
  sa->agent = umad_register(sa->id, UMAD_CLASS_SUBN_ADM, UMAD_SA_CLASS_VERSION, 0, NULL);
  sa->umad = umad_alloc(1, umad_size() + sizeof(struct umad_sa_packet));
  return sa->agent < 0 || !sa->umad ? -1 : 0;
}

static inline void sa_close(struct sa* sa) {
  umad_free(sa->umad);
  umad_close_port(sa->id);
}

/* The record comes back in `record`; 0, the administrator's status, or -1 without an answer. */
static inline int sa_ask(struct sa* sa, uint8_t method, uint16_t attribute, uint64_t mask,
                         void* record, size_t size) {
  enum { kTimeoutMs = 60000, kQkey = 0x80010000 };
  struct umad_sa_packet* packet = umad_get_mad(sa->umad);
  memset(packet, 0, sizeof *packet);
  packet->mad_hdr.base_version = 1;
  packet->mad_hdr.mgmt_class = UMAD_CLASS_SUBN_ADM;
  packet->mad_hdr.class_version = UMAD_SA_CLASS_VERSION;
  packet->mad_hdr.method = method;
  packet->mad_hdr.tid = htobe64(++sa->asked);
  packet->mad_hdr.attr_id = htobe16(attribute);
  packet->comp_mask = htobe64(mask);
  memcpy(packet->data, record, size);
  umad_set_addr(sa->umad, (int)sa->port.sm_lid, 1, (int)sa->port.sm_sl, kQkey);
  int length = sizeof *packet;
  if (umad_send(sa->id, sa->agent, sa->umad, length, kTimeoutMs, 3) < 0) return -1;
  if (umad_recv(sa->id, sa->umad, &length, 4 * kTimeoutMs) < 0) return -1;
  memcpy(record, packet->data, size);
  return be16toh(packet->mad_hdr.status);
}

#endif

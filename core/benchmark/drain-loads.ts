/** Reads that spend burst credits as fast as they can be spent. */

/** Of gp2. Source: "Understanding database IOPS, part 1"; at a depth that also empties the buckets of a wide stripe. */
export const drainAtRandom = { rw: 'randread', bs: '16k', numjobs: 10, iodepth: 16 } as const;

/** Of st1 and sc1, where each operation costs a whole MiB unless it is sequential. */
export const drainInSequence = { rw: 'read', bs: '1m', numjobs: 1, iodepth: 16 } as const;

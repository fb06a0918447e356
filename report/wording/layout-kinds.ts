/** Before the number of members; of a single volume nothing is said. */
export const layoutKindWords = {
  single: '',
  stripe: 'stripe of ',
  raid10: 'RAID10 of ',
  raid5: 'RAID5 of ',
} as const;

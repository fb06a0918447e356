/** A log page as an EBS volume gives it: 0xD0, 4,096 bytes. Source: EBS User Guide, detailed performance statistics. */
const page = Buffer.alloc(4_096);
page.writeUInt32LE(0x3c23b510, 0);
page.writeUInt32LE(1, 4);
// Operations, bytes and microseconds of reads and writes; microseconds of limits; queue length.
[1n, 2n, 4_096n, 5_000_000_000n, 5n, 6n, 7n, 8n, 9n, 10n, 11n].forEach((value, index) => {
  page.writeBigUInt64LE(value, 8 + 8 * index);
});

/** Bins of lower and upper bound in microseconds, and how many. */
function histogram(from: number, bins: readonly (readonly [bigint, bigint, number])[]): void {
  page.writeBigUInt64LE(BigInt(bins.length), from);
  bins.forEach(([lower, upper, count], index) => {
    const at = from + 8 + 24 * index;
    page.writeBigUInt64LE(lower, at);
    page.writeBigUInt64LE(upper, at + 8);
    page.writeUInt32LE(count, at + 16);
  });
}
histogram(512, [
  [0n, 64n, 0],
  [64n, 128n, 3],
]);
histogram(2_056, [
  [0n, 64n, 1],
  [64n, 128n, 0],
  [128n, 256n, 4_000_000_000],
]);

export const logPage: Buffer = page;

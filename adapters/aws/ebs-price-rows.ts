/** EBS prices out of rows of the Price List: each figure by its usage type, or none of them. */
import { type Known, known, unknown } from '../../core/known.ts';
import { type EbsPrices, isSaneUsd } from '../../core/prices/prices.ts';
import { mibFromGiB } from '../../core/units.ts';
import { type PriceRow, publicationOf, quoted } from './price-list-row.ts';

/** By the unit in lower case, what a price is divided by; other units are not understood. */
type Units = ReadonlyMap<string, number>;
/** Spelled "GB-Mo" for most types, "GB-month" for io2; a GB of EBS is 2^30 bytes. */
const perGiBMonth: Units = new Map([
  ['gb-mo', 1],
  ['gb-month', 1],
]);
const perIopsMonth: Units = new Map([
  ['iops-mo', 1],
  ['iops-month', 1],
]);
/** Quoted per GiB/s (40.96), provisioned and paid per MiB/s (0.04). */
const perMiBpsMonth: Units = new Map([
  ['gibps-mo', mibFromGiB(1)],
  ['mibps-mo', 1],
]);
const perMillion: Units = new Map([['ios', 1e-6]]);

/** A usage type without the prefix of its Region: USE2-EBS:VolumeUsage.gp3. A zone's has two: USE1-BOS1-EBS:... */
const withoutPrefix = (usageType: string): string => usageType.replace(/^[A-Z0-9]+-(?=EBS:)/, '');

/** A price divided has digits that nobody published. */
const publishedDigits = (usd: number): number => Number(usd.toPrecision(12));

class Rows {
  private readonly byUsage = new Map<string, PriceRow[]>();
  readonly missing: string[] = [];

  constructor(rows: readonly PriceRow[]) {
    for (const row of rows) {
      const usage = withoutPrefix(row.attributes['usagetype'] ?? '');
      this.byUsage.set(usage, [...(this.byUsage.get(usage) ?? []), row]);
    }
  }

  /** USD per unit; where it is not known that is noted, and the figure is of no use. */
  usd(usage: string, units: Units): number {
    const price = this.price(usage, units);
    if (price.known) return price.value;
    this.missing.push(`${usage} (${price.reason})`);
    return Number.NaN;
  }

  private price(usage: string, units: Units): Known<number> {
    const [row, ...others] = this.byUsage.get(usage) ?? [];
    if (row === undefined) return unknown('there is no such row');
    const { price } = row;
    if (!price.known) return price;
    const divisor = units.get(price.value.unit.toLowerCase());
    if (divisor === undefined) return unknown(`its unit is ${quoted(price.value.unit)}`);
    const same = (other: PriceRow): boolean => JSON.stringify(other.price) === JSON.stringify(price);
    if (!others.every(same)) return unknown('there are several prices');
    const usd = publishedDigits(price.value.usd / divisor);
    return isSaneUsd(usd) ? known(usd) : unknown(`its price is ${usd} USD`);
  }
}

/** All of them, or why none is known. */
export function ebsPrices(all: readonly PriceRow[]): Known<EbsPrices> {
  const publication = publicationOf(all);
  if (publication === null) return unknown('there are no rows');
  const rows = new Rows(all);
  const storage = (suffix: string): number => rows.usd(`EBS:VolumeUsage${suffix}`, perGiBMonth);
  const iops = (suffix: string): number => rows.usd(`EBS:VolumeP-IOPS.${suffix}`, perIopsMonth);
  const prices: EbsPrices = {
    ...publication,
    storagePerGiB: {
      gp2: storage('.gp2'),
      gp3: storage('.gp3'),
      io1: storage('.piops'),
      io2: storage('.io2'),
      st1: storage('.st1'),
      sc1: storage('.sc1'),
      standard: storage(''),
    },
    gp3PerIops: iops('gp3'),
    gp3PerMiBps: rows.usd('EBS:VolumeP-Throughput.gp3', perMiBpsMonth),
    io1PerIops: iops('piops'),
    // Where the tiers end is not in the rows. Source: EBS pricing page, read 2026-11-21.
    io2PerIops: [
      { upTo: 32_000, usd: iops('io2') },
      { upTo: 64_000, usd: iops('io2.tier2') },
      { upTo: null, usd: iops('io2.tier3') },
    ],
    standardPerMillionIo: rows.usd('EBS:VolumeIOUsage', perMillion),
  };
  return rows.missing.length === 0 ? known(prices) : unknown(`not known: ${rows.missing.join('; ')}`);
}

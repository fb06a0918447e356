/** What a load was, by the options that fio repeats in its result. Source: fio's HOWTO. */
import { z } from 'zod';
import { decimalOf } from '../decimal.ts';
import { type Known, known, unknown } from '../known.ts';
import { type FioDirection, type FioJob, type FioResult, maxUsers } from './fio-result.ts';

export const accesses = ['read', 'write', 'randread', 'randwrite', 'rw', 'randrw'] as const;
export type Access = (typeof accesses)[number];

/** null: this fio does not repeat them (before 2.9). */
export type JobOptions = Readonly<Record<string, string>> | null;

export const optionsOf = (result: FioResult, job: FioJob): JobOptions =>
  result['global options'] === undefined && job['job options'] === undefined
    ? null
    : { ...result['global options'], ...job['job options'] };

/** Why something of a load is not known. */
export const loadUnknownSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('not-in-file').meta({ description: 'fio before 2.9 does not repeat its options' }),
    what: z.enum(['access', 'block-size', 'users', 'io-depth']),
  }),
  z.object({ code: z.literal('other-access'), access: z.string() }),
  z.object({ code: z.literal('no-single-block-size'), blocks: z.string() }),
  z.object({ code: z.literal('no-count'), option: z.enum(['numjobs', 'iodepth']), value: z.string() }),
  z.object({
    code: z.literal('not-what-it-did').meta({ description: 'the access that a person said' }),
    access: z.enum(accesses),
  }),
]);
export type LoadUnknown = z.infer<typeof loadUnknownSchema>;

type KnownOfLoad<T> = Known<T, LoadUnknown>;

/** The first of the names under which an option can be given. */
const given = (options: NonNullable<JobOptions>, ...names: readonly string[]): string | undefined =>
  names.map((name) => options[name]).find((value) => value !== undefined);

export function accessOf(options: JobOptions): KnownOfLoad<Access> {
  if (options === null) return unknown({ code: 'not-in-file', what: 'access' });
  const asked = given(options, 'rw', 'readwrite') ?? 'read';
  // read:8 is a read that skips.
  const name = asked === 'readwrite' ? 'rw' : asked;
  const access = accesses.find((one) => one === name);
  return access === undefined ? unknown({ code: 'other-access', access: asked }) : known(access);
}

/** fio counts it in 32 bits. */
const maxBlockKiB = 2 ** 22;
const powers = ['', 'k', 'm', 'g'];

/** KiB of fio's 8k, 8192, 1m; null where it is not one size. By default 8k is 8,192 bytes and 8ki 8,000 (`kb_base`). */
function kibOfSize(text: string, kbBase: string | undefined): number | null {
  const match = /^(\d+)(?:([kmg])(i?))?b?$/i.exec(text.trim());
  if (match === null) return null;
  const [, digits, letter = '', i = ''] = match;
  const base = (i === '') === (kbBase !== '1000') ? 1024 : 1000;
  const kib = (Number(digits) * base ** powers.indexOf(letter.toLowerCase())) / 1024;
  return kib <= maxBlockKiB ? kib : null;
}

/** What two counters that were rounded down say: the power of two between, where there is one and only one. */
function kibByCounters({ io_bytes, io_kbytes, total_ios, bw, iops }: FioDirection): number | null {
  const [kib, operations] = total_ios === undefined ? [bw, iops] : [io_kbytes ?? io_bytes, total_ios];
  if (operations <= 0) return null;
  const least = kib / (operations + (total_ios === undefined && Number.isInteger(operations) ? 1 : 0));
  const most = (kib + 1) / operations;
  const power = 2 ** Math.ceil(Math.log2(least) - 1e-9);
  return power <= most && power * 2 > most ? power : null;
}

/** @param directions those that had operations. */
export function blockKiBOf(options: JobOptions, directions: readonly FioDirection[]): KnownOfLoad<number> {
  const varied = options === null ? undefined : given(options, 'bsrange', 'blocksize_range', 'bssplit');
  if (varied !== undefined) return unknown({ code: 'no-single-block-size', blocks: varied });
  const asked = options === null ? undefined : (given(options, 'bs', 'blocksize') ?? '4k');
  const sizes =
    asked === undefined
      ? directions.map(kibByCounters)
      : // Of reads, writes and trims, of which the last stands for those that are not said.
        asked
          .split(',')
          .filter(Boolean)
          .map((size) => kibOfSize(size, options?.['kb_base']));
  const [first, ...others] = new Set(sizes);
  if (!first || others.length > 0)
    return unknown(
      asked === undefined
        ? { code: 'not-in-file', what: 'block-size' }
        : { code: 'no-single-block-size', blocks: asked },
    );
  return known(first);
}

/** More than an engine has under way. */
const maxIoDepth = 1_000_000;

/** 1 where it is not said. */
function countOf(
  name: 'numjobs' | 'iodepth',
  options: NonNullable<JobOptions>,
  most: number,
): KnownOfLoad<number> {
  const { [name]: said = '1' } = options;
  const count = decimalOf(said);
  return Number.isInteger(count) && count > 0 && count <= most
    ? known(count)
    : unknown({ code: 'no-count', option: name, value: said });
}

/** @param entries how many of the result are this one job: without group_reporting one for each user. */
export function usersOf(options: JobOptions, entries: number): KnownOfLoad<number> {
  if (entries > 1) return known(entries);
  if (options === null) return unknown({ code: 'not-in-file', what: 'users' });
  return countOf('numjobs', options, maxUsers);
}

/** Engines that ask for one thing after another, whatever iodepth says. */
const oneByOne = new Set(['sync', 'psync', 'vsync', 'pvsync', 'pvsync2', 'mmap']);

export const isOneByOne = (engine: string): boolean => oneByOne.has(engine);

/** How many of each user were under way at most. */
export function ioDepthOf(
  options: JobOptions,
  levels: Readonly<Record<string, number>> = {},
): KnownOfLoad<number> {
  if (options === null)
    return (levels['1'] ?? 0) >= 99.9 ? known(1) : unknown({ code: 'not-in-file', what: 'io-depth' });
  // Without an engine it is psync on Linux.
  if (isOneByOne(options['ioengine'] ?? 'psync')) return known(1);
  return countOf('iodepth', options, maxIoDepth);
}

const isOn = (value: string | undefined): boolean => value !== undefined && value !== '0' && value !== 'none';

/** Past the memory of the host, to the device. */
export const isDirect = (options: NonNullable<JobOptions>): boolean =>
  isOn(options['direct']) || options['buffered'] === '0';

/** Each write is over when it is on the device. */
export const isSync = (options: NonNullable<JobOptions>): boolean => isOn(options['sync']);

/** Options by which users wait between what they ask for. */
export const pacing = ['rate', 'rate_iops', 'thinktime'] as const;

/** The option that slowed it down, and its value; null where users ask as fast as they can. */
export function pacedBy(
  options: NonNullable<JobOptions>,
): { option: (typeof pacing)[number]; value: string } | null {
  const option = pacing.find((name) => isOn(options[name]));
  return option === undefined ? null : { option, value: options[option] ?? '' };
}

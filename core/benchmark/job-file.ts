/**
 * A step as a job file of fio 3. fio itself puts in the variables: the file of each place (DATA, WRITE_IMAGE_JOURNAL,
 * JOURNAL), and sizes in MiB (FILE_MIB, its share for each user SHARE_MIB, PART_MIB).
 * Source of the options: fio's HOWTO, 3.33.
 */
import type { FioJob, Place, Step } from './profile.ts';

const variableOf: { readonly [P in Place]: string } = {
  data: 'DATA',
  writeImageJournal: 'WRITE_IMAGE_JOURNAL',
  journal: 'JOURNAL',
};

type Options = Readonly<Record<string, string | number>>;

const section = (name: string, options: Options): string =>
  [`[${name}]`, ...Object.entries(options).map(([option, value]) => `${option}=${value}`), ''].join('\n');

/** What all steps share. Of a shared file no map of what was read is kept; and no two runs ask in the same order. */
export const commonSection = section('global', {
  ...{
    ioengine: 'libaio',
    direct: 1,
    norandommap: 1,
    randrepeat: 0,
    time_based: 1,
    group_reporting: 1,
    exitall_on_error: 1,
  },
  percentile_list: '50:90:95:99:99.9',
});

const jobSection = ({ name, place, options }: FioJob): string =>
  section(name, { filename: `\${${variableOf[place]}}`, ...options });

/** What is the step's own: it follows `commonSection`. */
export const stepSections = ({ seconds, rampSeconds, jobs }: Step): string =>
  [section('global', { runtime: seconds, ramp_time: rampSeconds }), ...jobs.map(jobSection)].join('');

import { commonSection, profiles, stepSections } from '../../../core/benchmark/profiles.ts';

const step = (run: typeof profiles.log.full, name: string) =>
  run.steps.find((each) => each.name === name) as (typeof run.steps)[number];

test('what all steps share: past the page cache, for a time, one result a group', () => {
  expect(commonSection).toBe(
    [
      '[global]',
      'ioengine=libaio',
      'direct=1',
      'norandommap=1',
      'randrepeat=0',
      'time_based=1',
      'group_reporting=1',
      'exitall_on_error=1',
      'percentile_list=50:90:95:99:99.9',
      '',
    ].join('\n'),
  );
});

test('a step of random reads: fio puts in the file and its size', () => {
  expect(stepSections(step(profiles['report-card'].full, 'randread-8k-16'))).toBe(
    [
      '[global]',
      'runtime=60',
      'ramp_time=5',
      '[randread-8k]',
      `filename=\${DATA}`,
      'numjobs=16',
      'iodepth=1',
      `size=\${FILE_MIB}m`,
      'rw=randread',
      'bs=8k',
      '',
    ].join('\n'),
  );
});

test('users of sequential I/O have each a share of the file', () => {
  const text = stepSections(step(profiles['report-card'].full, 'read-1m-64'));
  expect(text).toContain(`size=\${SHARE_MIB}m\noffset_increment=\${SHARE_MIB}m\n`);
});

test('jobs of several places have files of their own', () => {
  const text = stepSections(step(profiles['iris-ranwrite'].short, 'write-cycles'));
  const files = [...text.matchAll(/^\[(?!global)(.*)\]\nfilename=(.*)$/gm)].map(
    ([, name, file]) => `${name} ${file}`,
  );
  expect(files).toEqual([
    `journal \${JOURNAL}`,
    `write-image-journal-1 \${WRITE_IMAGE_JOURNAL}`,
    `database-1 \${DATA}`,
    `write-image-journal-2 \${WRITE_IMAGE_JOURNAL}`,
    `database-2 \${DATA}`,
  ]);
});

/** The outputs for machines: by their schema, and with nothing in them that a file can put there. */
import '@microsoft/jest-sarif';
import { stripVTControlCharacters } from 'node:util';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { check } from '../../../core/check/check.ts';
import { checkedOf } from '../../../core/check/checked.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { checkRuleIds } from '../../../core/schemas/check-answer.ts';
import { checkJunit } from '../../../report/check/junit.ts';
import { checkMarkdown } from '../../../report/check/markdown.ts';
import { checkSarif } from '../../../report/check/sarif.ts';
import { checkText } from '../../../report/check/table.ts';
import { everyRule } from '../../fixtures/every-check-rule.ts';
import { aDevice, anInstance, aVolume, plannedOf } from '../../fixtures/planned.ts';

const untrusted = 'module.x["](http://evil) <img src=x onerror=1> @everyone | `rm` {0} ]]> & #12 \\"]';

const planned = {
  ...plannedOf(
    aVolume({ type: 'gp2', gib: 500 }, null, { address: untrusted, file: '../a b/[x].tf', line: 7 }),
    aVolume({ type: 'gp3', gib: 10, iops: 16_000 }, null, { address: 'bad' }),
    aVolume({ type: 'gp2', gib: 90 }, null, {
      address: 'old',
      ignoredRules: [{ rule: 'gp2-to-gp3', reason: '<b>' }],
    }),
    anInstance('m5.large', [aDevice({ type: 'gp3', gib: 1_000, iops: 40_000 })]),
  ),
};
const unreadable = [
  { file: 'chart/templates/pvc.yaml', line: 3, reason: 'it has templates in it: {{ .Values.size }}' },
];
const answer = check(
  { ...planned, coverage: { ...planned.coverage, unreadable } },
  checkedOf(planned, null),
  {
    ...{
      regionCatalogs: builtInRegionCatalog,
      thresholds: defaultThresholds,
      loadClass: null,
      changedOnly: false,
      measured: null,
    },
  },
);

test('a table has the 30 most urgent, and says how many more there are', () => {
  const many = plannedOf(
    ...Array.from({ length: 32 }, (_, i) =>
      aVolume({ type: 'gp2', gib: 500 }, null, { address: `gp2[${i}]` }),
    ),
    aVolume({ type: 'gp3', gib: 10, iops: 16_000 }, null, { address: 'bad' }),
  );
  const of33 = check(many, checkedOf(many, null), {
    ...{
      regionCatalogs: builtInRegionCatalog,
      thresholds: defaultThresholds,
      loadClass: null,
      changedOnly: false,
      measured: null,
    },
  });
  expect(of33.findings).toHaveLength(33);
  const lines = checkText(of33, { columns: null, color: false });
  expect(lines.find((line) => /^(?:critical|warning|info) /.test(line))).toContain('critical bad');
  expect(lines.filter((line) => /^(?:critical|warning|info) /.test(line))).toHaveLength(30);
  expect(lines).toContain('and 3 more findings: --format json has all'); // 33 - 30
  const few = checkText({ ...of33, findings: of33.findings.slice(0, 30) }, { columns: null, color: false });
  expect(few.join('\n')).not.toContain('more finding');
});

test('on a terminal of 80 columns no line is longer, and without color none has an escape', () => {
  const plain = checkText(everyRule(), { columns: 80, color: false });
  expect(plain.filter((line) => line.length > 80)).toEqual([]);
  expect(plain.join('\n')).not.toContain('\u001b');
  const colored = checkText(everyRule(), { columns: 80, color: true }).join('\n');
  expect(colored).toContain('\u001b[31mcritical\u001b[39m aws_ebs_volume.cache');
  expect(stripVTControlCharacters(colored)).toBe(plain.join('\n'));
});

test('SARIF is valid by the schema of 2.1.0, each finding with its rule and place', () => {
  const sarif = checkSarif(answer, '0.1.0') as {
    runs: [{ results: { ruleId: string; message: { text: string } }[] }];
  };
  expect(sarif).toBeValidSarifLog();
  expect({ ...sarif, runs: [{ results: [{}] }] }).not.toBeValidSarifLog();
  const [{ results }] = sarif.runs;
  expect(results.map(({ ruleId }) => ruleId)).toEqual(answer.findings.map(({ rule }) => rule));
  // Neither a link nor a placeholder is left of what stands in a file.
  const text = results.map(({ message }) => message.text).join('\n');
  expect(text).toContain('{{0}}');
  expect(text).not.toMatch(/(?<!\\)\]\(http/);
  expect(JSON.stringify(sarif)).toContain('"uri":"../a%20b/%5Bx%5D.tf"');
});

// Skipped: what is ignored, and two rules that were not asked for (--load, --metrics).
test('JUnit: a suite of each rule, failures of warnings and worse, what is ignored skipped, well-formed', () => {
  const xml = checkJunit(answer).join('\n');
  for (const rule of checkRuleIds) expect(xml).toContain(`<testsuite name="${rule}: `);
  const count = (pattern: RegExp): number => [...xml.matchAll(pattern)].length;
  const failures = answer.findings.filter(({ severity }) => severity !== 'info').length;
  expect(count(/<failure /g)).toBe(failures);
  expect(xml).toMatch(
    new RegExp(
      `^<testsuites name="stripewise check" tests="\\d+" failures="${failures}" errors="1" skipped="3">`,
      'm',
    ),
  );
  expect(count(/<testcase /g)).toBe(Number(/tests="(\d+)"/.exec(xml)?.[1]));
  expect(xml).not.toContain('<img');
  // Whatever opens is closed.
  const open: string[] = [];
  for (const [, end, name = '', self] of xml.matchAll(/<(\/?)([a-z-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (end === '/') expect(open.pop()).toBe(name);
    else if (self !== '/') open.push(name);
  }
  expect(open).toEqual([]);
});

test('Markdown: text of a file formats, links and mentions nothing, and ends no cell', () => {
  const lines = checkMarkdown(answer, 0);
  const row = lines.find((line) => line.includes('everyone')) ?? '';
  expect(row).not.toMatch(/<img|\]\(|@everyone|`/);
  expect(row.split('|')).toHaveLength(7); // five cells
  expect(lines.join('\n')).not.toContain('<b>');
});

test('600 files that were not read: ten are named, the rest counted, and the comment has room', () => {
  const reason = `not valid YAML (${'[x]<@|'.repeat(100)})`;
  const broken = Array.from({ length: 600 }, (_, i) => ({ file: `a/${i}.yaml`, line: 1, reason }));
  const of600 = { ...answer, coverage: { ...answer.coverage, unreadable: broken } };
  const comment = checkMarkdown(of600, 0).join('\n');
  expect(comment.length).toBeLessThan(60_000);
  expect(comment.match(/^- Not read: a\/\d\.yaml/gm)).toHaveLength(10);
  expect(comment).toContain('- Not read: and 590 more.'); // 600 - 10
  expect(comment).toContain('**Not read, whole or in part: 600 files.**');
  expect(checkText(of600, { columns: null, color: false })).toContain('Not read: and 590 more.');
});

test('what was not read is worth a comment without any finding', () => {
  const nothing = { ...answer, findings: [], price: { ...answer.price, monthlyUsdDifference: 0 } };
  expect(checkMarkdown(nothing, 1_000).join('\n')).toContain('**Not read, whole or in part: 1 file.**');
  const read = { ...nothing, coverage: { ...nothing.coverage, unreadable: [] } };
  expect(checkMarkdown(read, 1_000)).toEqual([]);
});

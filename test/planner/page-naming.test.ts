/** What is said of a plan on the page names its fields: no option of a command line, no command. */
import { labels, pageNaming } from '../../planner/plan/page-naming.ts';
import { planNoteText, planReasonText, refusedNearestText } from '../../report/wording/plan.ts';
import { commandLine, type PlanNaming } from '../../report/wording/plan-names.ts';
import { nearests, notes, reasons } from '../report/wording/plan-samples.ts';

const texts = (naming: PlanNaming): string[] => [
  ...notes.map((one) => planNoteText(one, naming)),
  ...reasons.map((one) => planReasonText(one, naming)),
  ...nearests.map((one) => refusedNearestText({ nearest: [one] }, naming)),
];
const ofACommandLine = /--[a-z]|`/;

test('no sentence of the page names an option; those of the command line do', () => {
  expect(texts(pageNaming).filter((text) => ofACommandLine.test(text))).toEqual([]);
  expect(texts(commandLine).filter((text) => ofACommandLine.test(text)).length).toBeGreaterThan(8);
});

test('where a sentence names an option, the page names the field with its unit', () => {
  expect(refusedNearestText({ nearest: [{ code: 'allow-members', members: 4 }] }, pageNaming)).toBe(
    `“${labels.maxMembers}” 4`,
  );
  expect(pageNaming.set('maxAnnualFailureRate', 0.039)).toBe('“Data loss a year at most” 3.9 %');
  expect(pageNaming.set('chunkKiB', 256)).toBe('“Chunk of a stripe” 256 KiB');
});

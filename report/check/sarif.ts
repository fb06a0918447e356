/** The check as SARIF 2.1.0, for code scanning. Source: OASIS SARIF 2.1.0 (errata 01), read 2026-11-28. */
import { sha256Hex } from '../../core/hash.ts';
import { type CheckAnswer, type CheckFinding, checkRuleIds } from '../../core/schemas/check-answer.ts';
import type { Severity } from '../../core/schemas/finding.ts';
import { ruleTexts, targetText } from '../wording/check.ts';
import { checkFindingLines } from '../wording/check-finding.ts';

const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  warning: 'warning',
  info: 'note',
};

/** A path as a relative URI: each part encoded. */
const uriOf = (file: string): string =>
  file
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');

/** In SARIF `[text](1)` is a link, `{0}` a placeholder, and a backslash escapes. */
const messageOf = (text: string): string => text.replaceAll(/[[\]\\]/g, '\\$&').replaceAll(/[{}]/g, '$&$&');

/** A viewer shows the first sentence as the title: it is the problem. */
const textOf = (finding: CheckFinding): string =>
  checkFindingLines(finding)
    .map(({ label, text }) => (label === 'Problem' || label === 'Evidence' ? text : `${label}: ${text}`))
    .join(' ');

function resultOf(finding: CheckFinding): object {
  const { rule, severity, file, line, address, device, facts } = finding;
  // A group has a finding for each of its instance types.
  const ofType = 'instance' in facts && facts.instance !== null ? [facts.instance.instanceType] : [];
  return {
    ruleId: rule,
    ruleIndex: checkRuleIds.indexOf(rule),
    level: levels[severity],
    message: { text: messageOf(`${targetText(finding)}: ${textOf(finding)}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          // A viewer needs a line: of a plan, which has none that help, it is the first.
          region: { startLine: line ?? 1 },
        },
        logicalLocations: [{ fullyQualifiedName: targetText(finding), kind: 'resource' }],
      },
    ],
    partialFingerprints: {
      'stripewiseCheck/v1': sha256Hex(JSON.stringify([rule, file, address, device, ...ofType])),
    },
  };
}

export function checkSarif(answer: CheckAnswer, version: string): object {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'stripewise',
            version,
            rules: checkRuleIds.map((id) => ({
              id,
              shortDescription: { text: ruleTexts[id].title },
              fullDescription: { text: ruleTexts[id].about },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: answer.findings.map(resultOf),
        invocations: [
          {
            executionSuccessful: answer.coverage.unreadable.length === 0,
            toolExecutionNotifications: answer.coverage.unreadable.map(({ file, line, reason }) => ({
              level: 'error',
              message: { text: messageOf(reason) },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: uriOf(file) },
                    region: { startLine: line ?? 1 },
                  },
                },
              ],
            })),
          },
        ],
      },
    ],
  };
}

/** One scenario through the whole way of the command line: files as the AWS CLI prints them, read, audited. */

import { readDescribeInstances, readDescribeVolumes } from '../../adapters/files/aws-cli-inventory.ts';
import { readGetMetricData } from '../../adapters/files/aws-cli-metrics.ts';
import { fileAt } from '../../adapters/files/read-file.ts';
import { audit } from '../../core/audit/audit.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds, MetricCollector } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { TemporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type Published, publish } from '../simulator/publish.ts';
import type { Rules } from '../simulator/rules.ts';
import { type RunScenario, runScenario } from '../simulator/scenario-plan.ts';
import type { Scenario } from '../simulator/scenario-schema.ts';

export interface EvaluatedScenario {
  scenario: Scenario;
  run: RunScenario;
  published: Published;
  result: AuditResult;
  diagnosed: ReadonlyMap<string, DiagnosedVolume>;
}

export function evaluateScenario(
  scenario: Scenario,
  directory: Pick<TemporaryDirectory, 'write'>,
  rules: Partial<Rules> = {},
): EvaluatedScenario {
  const run = runScenario(scenario, rules);
  const published = publish(run.instances, run.window);
  const file = (name: string, content: object): string =>
    directory.write(`${scenario.name}/${name}.json`, content);
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  const oddities = readGetMetricData(fileAt(file('get-metric-data', published.getMetricData)), collector);
  const diagnosed = new Map<string, DiagnosedVolume>();
  const result = audit({
    runId: scenario.name,
    inventory: {
      volumes: readDescribeVolumes(fileAt(file('describe-volumes', published.describeVolumes))),
      instances: readDescribeInstances(fileAt(file('describe-instances', published.describeInstances))),
    },
    read: { metrics: collector.finish(), window: 'of-all', ...oddities },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
    onDiagnosed: (one) => diagnosed.set(one.volume.volumeId, one),
  });
  return { scenario, run, published, result, diagnosed };
}

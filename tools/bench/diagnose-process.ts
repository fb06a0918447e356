/** Diagnoses so many volumes in a process of its own and says what memory it took: node diagnose-process.ts VOLUMES */
import { pathToFileURL } from 'node:url';
import { audit } from '../../core/audit/audit.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { type DiagnosedFleet, diagnosedFleet } from './diagnosed-fleet.ts';
import { endEpochSeconds, periodSeconds, points } from './synthetic-account.ts';

export const diagnoseAll = ({ metrics, ...inventory }: DiagnosedFleet): AuditResult =>
  audit({
    runId: 'bench',
    inventory,
    read: {
      metrics,
      window: { startEpochSeconds: endEpochSeconds - points * periodSeconds, endEpochSeconds },
    },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { volumes } = diagnoseAll(diagnosedFleet(Number(process.argv[2]), 0));
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(JSON.stringify({ peakMiB, volumes: volumes.length }));
}

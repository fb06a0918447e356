/** Every document that stripewise writes for machines, by name; `stripewise schema NAME` prints it as JSON Schema. */
import { z } from 'zod';
import { runManifestSchema } from '../report/run-manifest.ts';
import { burstAnswerSchema, demandAnswerSchema, limitsAnswerSchema } from './answers.ts';
import { auditResultSchema } from './audit-result.ts';
import { benchPlanAnswerSchema } from './bench-plan-answer.ts';
import { campaignReportSchema } from './campaign-report.ts';
import { catalogAnswerSchema } from './catalog-answer.ts';
import { changesDecisionSchema, changesListSchema, changesSwitchedSchema } from './changes-answers.ts';
import { checkAnswerSchema } from './check-answer.ts';
import { configAnswerSchema } from './config-answer.ts';
import { doctorAnswerSchema } from './doctor-answer.ts';
import { findingSchema } from './finding.ts';
import { gradeAnswerSchema } from './grade-answer.ts';
import { sqlAnswerSchema, topVolumesSchema, volumeHistorySchema } from './history-answers.ts';
import { periodsComparisonSchema } from './history-compare.ts';
import { fleetWeeksSchema } from './history-fleet.ts';
import { heatMapSchema } from './history-heat-map.ts';
import { volumeTrendSchema } from './history-trend.ts';
import { planAnswerSchema } from './plan-answer.ts';
import { planChoicesSchema } from './plan-choices.ts';
import { replayAnswerSchema } from './replay-answer.ts';
import { runComparisonSchema } from './run-comparison.ts';

export const schemas = {
  finding: findingSchema,
  audit: auditResultSchema,
  limits: limitsAnswerSchema,
  burst: burstAnswerSchema,
  demand: demandAnswerSchema,
  plan: planAnswerSchema,
  'plan-choices': planChoicesSchema,
  check: checkAnswerSchema,
  replay: replayAnswerSchema,
  grade: gradeAnswerSchema,
  'bench-plan': benchPlanAnswerSchema,
  'bench-report': campaignReportSchema,
  'report-list': runManifestSchema,
  compare: runComparisonSchema,
  'history-volume': volumeHistorySchema,
  'history-trend': volumeTrendSchema,
  'history-heat-map': heatMapSchema,
  'history-compare': periodsComparisonSchema,
  'history-fleet': fleetWeeksSchema,
  'history-top': topVolumesSchema,
  'history-sql': sqlAnswerSchema,
  catalog: catalogAnswerSchema,
  config: configAnswerSchema,
  doctor: doctorAnswerSchema,
  'changes-list': changesListSchema,
  'changes-decision': changesDecisionSchema,
  'changes-switch': changesSwitchedSchema,
} as const;
export type SchemaName = keyof typeof schemas;

export const jsonSchemaOf = (name: SchemaName): object => z.toJSONSchema(schemas[name]);

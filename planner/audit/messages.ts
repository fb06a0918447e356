/** What the page and its worker say to each other: figures, texts and files, no functions. */
import type { ReportWithSeries } from '../../core/report/audit-report.ts';
import type { CatalogSource } from '../catalogs.ts';
import type { FilesByKind, MadeQueries } from './audit-job.ts';
import type { FilesOfArchive } from './given-files.ts';

export interface PostedFile {
  /** As it is shown. */
  name: string;
  file: Blob;
}

interface PostedAudit {
  of: 'audit';
  files: FilesByKind<PostedFile>;
  archive: FilesOfArchive<Blob> | null;
  lookbackDays: number;
  untilSeconds: number | null;
  catalogs: readonly CatalogSource[];
  runId: string;
  madeAt: string;
}

interface PostedQueries {
  of: 'queries';
  files: Pick<FilesByKind<PostedFile>, 'volumes' | 'instances'>;
  lookbackDays: number;
  periodSeconds: number;
}

export type PostedJob = PostedAudit | PostedQueries;

export type Progress =
  | { of: 'reading'; name: string; doneBytes: number; bytes: number; file: number; files: number }
  | { of: 'evaluating'; done: number; total: number; what: 'volumes' | 'parts' };

export type WorkerMessage =
  | { of: 'progress'; progress: Progress }
  | { of: 'report'; report: ReportWithSeries }
  | { of: 'queries'; queries: MadeQueries }
  /** One line. */
  | { of: 'failed'; problem: string };

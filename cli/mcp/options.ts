/** What the server is started with. */
import { BadInput } from '../../core/errors.ts';

export interface McpOptions {
  archive?: string;
  volumes?: string[];
  metrics?: string[];
  instances?: string[];
  audit?: string;
  profile?: string;
  region?: string[];
  config?: string;
  /** Infrastructure code that the tool `check` reads. */
  check?: string[];
  lookbackDays?: number;
  prices?: string[];
  maxUsd: number;
}

/** Where its answers come from; none: the tools that need no account alone. */
export type SourceKind = 'none' | 'archive' | 'files' | 'saved' | 'account';

export const isArchiveInS3 = ({ archive }: McpOptions): boolean => archive?.startsWith('s3:') ?? false;

export const mayReadAws = ({ profile, region }: McpOptions): boolean =>
  profile !== undefined || region !== undefined;

/** @throws BadInput where two sources are given, or one in part. */
export function sourceKindOf(options: McpOptions): SourceKind {
  const { archive, volumes, metrics, instances, audit, region } = options;
  if (audit !== undefined) {
    const other = Object.entries({ archive, volumes, metrics, instances, region }).find(
      ([, given]) => given !== undefined,
    );
    if (other !== undefined)
      throw new BadInput(`--audit is a whole result, and --${other[0]} is given too: leave out one of them`);
    return 'saved';
  }
  if (archive !== undefined) {
    if (metrics !== undefined) throw new BadInput('--archive is instead of --metrics: leave out one of them');
    if (volumes === undefined)
      throw new BadInput('--archive holds metrics alone: give --volumes (and --instances) too');
    if (isArchiveInS3(options) && !mayReadAws(options))
      throw new BadInput('--archive in S3 reads AWS: give --profile or --region too, or a directory');
    return 'archive';
  }
  if (volumes !== undefined || metrics !== undefined || instances !== undefined) {
    if (volumes === undefined || metrics === undefined)
      throw new BadInput('files need --volumes and --metrics: give both, or --archive, or --audit');
    if (mayReadAws(options))
      throw new BadInput('--profile and --region read the account: leave them out where files are given');
    return 'files';
  }
  return mayReadAws(options) ? 'account' : 'none';
}

/** `stripewise doctor`: what would go wrong in an account, before anything is deployed. */
import { Command } from 'commander';
import type { DoctorPurpose } from '../core/schemas/doctor-answer.ts';
import { doctorText } from '../report/terminal/doctor.ts';
import { type ExitCode, exitCodes, type Io, printJson } from './io.ts';
import { regionOption } from './options.ts';

interface Options {
  deploy?: true;
  benchmark?: true;
  region?: string;
  profile?: string;
  config?: string;
  json?: true;
}

const purposesOf = ({ deploy, benchmark }: Options): DoctorPurpose[] => [
  'audit',
  ...(deploy ? (['deploy'] as const) : []),
  ...(benchmark ? (['benchmark'] as const) : []),
];

export const doctorCommand = (io: Io, ended: (code: ExitCode) => void): Command =>
  new Command('doctor')
    .description(
      'Check an account before an audit, a deployment or a benchmark: what would go wrong, and what to do.',
    )
    .option('--deploy', 'also what `cdk deploy` needs')
    .option('--benchmark', 'also what a benchmark needs, by the section `benchmark` or its defaults')
    .option(
      '--region <region>',
      'of the audit or the stack (default: AWS_REGION, or that of the profile)',
      regionOption('--region'),
    )
    .option('--profile <name>', 'the AWS profile to read with')
    .option(
      '--config <file>',
      'the configuration (default: stripewise.yaml where you are, else the defaults)',
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
It only reads. One line a check: ok, warning, trouble or unknown, what it means, and what to do.
Where a call is refused its check is unknown, and the line names the action.
With --deploy it assumes the CDK's roles and drops the credentials; with --benchmark it tries a launch as a dry run.

Cost: at most ten metrics of CloudWatch, 0.0001 USD. Other calls cost nothing; all are counted.

Exit: 0 nothing is in trouble, warnings or not; 1 something is; 2 bad input; 3 nothing is, but some check is unknown.

Examples:
  stripewise doctor --region us-east-1
  stripewise doctor --deploy --config stripewise.yaml --profile production
  stripewise doctor --deploy --benchmark --region eu-central-1 --json`,
    )
    .action(async (options: Options) => {
      // Loaded only when needed: the AWS SDK takes long to load.
      const { checkAccount } = await import('./doctor-account.ts');
      const answer = await checkAccount({ ...options, purposes: purposesOf(options) }, io);
      if (options.json) printJson(io, answer);
      else for (const line of doctorText(answer, io)) io.out(line);
      if (answer.counts.trouble > 0) ended(exitCodes.findings);
      else if (answer.counts.unknown > 0) ended(exitCodes.partial);
    });

/** `stripewise mcp`: a server of the Model Context Protocol, by which an assistant asks the engine. It writes nothing. */
import { Command } from 'commander';
import type { Io } from './io.ts';
import { type McpOptions, mayReadAws } from './mcp/options.ts';
import { nonNegative, positive, pricesOption, regionOption } from './options.ts';

const severalRegions = (given: string, before: string[] = []): string[] => [
  ...before,
  regionOption('--region')(given),
];

export const mcpCommand = (io: Io, version: string): Command =>
  new Command('mcp')
    .description(
      'A server by which an assistant asks stripewise (Model Context Protocol, on standard input and output).',
    )
    .option('--archive <place>', 'with --volumes: an archive that `audit --save` made, or s3://bucket/prefix')
    .option('--volumes <file...>', 'what `aws ec2 describe-volumes` prints')
    .option('--metrics <file...>', 'what `aws cloudwatch get-metric-data` prints')
    .option('--instances <file...>', 'what `aws ec2 describe-instances` prints')
    .option('--audit <file>', 'instead: a result that `audit --json` wrote')
    .option('--profile <name>', 'instead: read the account, with this AWS profile')
    .option('--region <region...>', 'instead: read the account in these Regions', severalRegions)
    .option(
      '--check <path...>',
      'infrastructure code that the tool check reads, as `stripewise check` takes it',
    )
    .option('--config <file>', 'a configuration file: its thresholds, exclusions and lookback')
    .option('--lookback-days <n>', 'how far back (default: 14)', positive('--lookback-days', 'days'))
    .option(...pricesOption)
    .option(
      '--max-usd <n>',
      'what CloudWatch may bill for a session: a call beyond it is refused',
      nonNegative('--max-usd', 'USD'),
      1,
    )
    .addHelpText(
      'after',
      `
Tools: explain, list_findings, plan, compare_layouts, burst, limits, history, check. Without a source, only plan,
compare_layouts, burst and limits are there; history needs --archive, check needs --check. No tool changes anything.
AWS is read with --profile or --region alone; each answer says what it cost.
Names and tags of the account are marked [untrusted: ...].

The server ends when the client leaves: exit code 0. Logs are on standard error.

In the configuration of an assistant:
  {"mcpServers": {"stripewise": {"command": "stripewise", "args": ["mcp", "--audit", "/home/me/audit.json"]}}}

Examples:
  stripewise mcp
  stripewise mcp --audit audit.json
  stripewise mcp --archive archive --volumes volumes.json --instances instances.json
  stripewise mcp --check plan.json
  stripewise mcp --volumes volumes.json --metrics reply-*.json
  stripewise mcp --profile production --region us-east-1 --max-usd 0.50`,
    )
    .action(async (options: McpOptions) => {
      // Without leave to read AWS prices are not read anew either. The process is this server's own.
      if (!mayReadAws(options)) process.env['STRIPEWISE_CATALOG_REFRESH'] = 'off';
      const { Source } = await import('./mcp/source.ts');
      const source = new Source(options, io);
      // Loaded only when needed: the SDK of the protocol is of no use to other commands.
      const { serve } = await import('./mcp/serve.ts');
      const code = await serve(source, io, process, version);
      // A call to AWS that nobody waits for would hold the process.
      process.exit(code);
    });

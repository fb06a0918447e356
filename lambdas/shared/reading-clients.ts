/** Clients of the Region that is audited, with the calls they make counted. */
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { cloudWatchClient, ec2Client, ssmClient } from '../../adapters/aws/session.ts';

export function readingClients(region: string) {
  const counter = new CallCounter();
  return {
    ec2: ec2Client({ region }, counter),
    cloudWatch: cloudWatchClient({ region }, counter),
    ssm: ssmClient({ region }, counter),
    counter,
  };
}

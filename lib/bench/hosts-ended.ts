/**
 * Hosts that run when the stack goes are ended before. Removing goes in this order: what launches, then a custom resource whose
 * Delete ends the hosts and waits until they are gone, then its function, then templates, group and role of the hosts.
 */
import { CustomResource, Duration } from 'aws-cdk-lib';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Env } from '../../lambdas/end-hosts/env.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { endHosts, findInstances } from './host-permissions.ts';
import type { HostTemplates } from './host-templates.ts';

export interface HostsEndedProps {
  templates: HostTemplates;
  launchHost: LambdaFunction;
  logsDays: number;
}

const timeout = Duration.minutes(10);

export class HostsEnded extends Construct {
  constructor(scope: Construct, id: string, { templates, launchHost, logsDays }: HostsEndedProps) {
    super(scope, id);
    const { function: end } = new NodeFunction<Env>(this, 'EndHosts', {
      name: 'end-hosts',
      description: 'stripewise: ends hosts of campaigns when the stack is deleted',
      environment: templates.origin,
      memoryMiB: 256,
      timeout,
      logsDays,
      may: [findInstances, endHosts(this, templates)],
    });
    const ended = new CustomResource(this, 'Ended', {
      resourceType: 'Custom::StripewiseHostsEnded',
      serviceToken: end.functionArn,
      // Where the function dies without an answer, CloudFormation would wait for an hour.
      serviceTimeout: timeout.plus(Duration.minutes(5)),
    });
    // Without its role a campaign that still runs can launch no other.
    for (const part of launchHost.node.scope?.node.findAll() ?? [])
      if (part instanceof CfnRole) part.node.addDependency(ended);
  }
}

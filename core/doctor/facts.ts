/** What an account says when it is asked: each answer, or why there is none. */
import type { z } from 'zod';
import type { Known } from '../known.ts';
import type { notReadSchema } from '../schemas/doctor-answer.ts';

export type NotRead = z.infer<typeof notReadSchema>;
export type Read<T> = Known<T, NotRead>;

/** Does a refusal name a service control policy? IAM's messages do, since 2021, where one denies explicitly or allows nothing. */
export const isOfOrganization = (message: string): boolean =>
  /(service|resource) control policy/i.test(message);

/** Of one Region. */
export interface RegionState {
  region: string;
  /** Null: AWS knows none of that name. */
  isEnabled: boolean | null;
}

export interface CountedVolumes {
  /** Those that are not excluded. */
  volumes: number;
  /** Of these, attached: only they have metrics. */
  attached: number;
  /** Of the attached, with a bucket of credits. */
  bucketed: number;
  excluded: number;
}

export interface MeasuredDelay {
  /** Null: none of them has points of the last minutes. */
  seconds: number | null;
  volumes: number;
}

/** One that an audit makes. */
export interface AuditCall {
  action: string;
  region: string;
  /** Null: it was answered. */
  notRead: NotRead | null;
}

export interface AccountFacts {
  regions: Read<RegionState[]>;
  calls: AuditCall[];
  volumes: Read<CountedVolumes>;
  delay: Read<MeasuredDelay>;
  metricCallsPerSecond: Read<number>;
}

export interface SimulatedAction {
  action: string;
  isAllowed: boolean;
  /** Null where there is none. */
  allowedByOrganization: boolean | null;
  allowedByBoundary: boolean | null;
}

export interface DeployFacts {
  /** Null: there is none. */
  bootstrapVersion: Read<number | null>;
  roles: { role: string; notRead: NotRead | null }[];
  executionRole: string;
  /** Null: there is no such role. */
  simulated: Read<SimulatedAction[] | null>;
  unreservedConcurrency: Read<number>;
}

export interface Subnet {
  subnetId: string;
  vpcId: string;
  freeAddresses: number;
  /** Instances get a public IPv4 address without asking. */
  givesPublicAddress: boolean;
}

export interface RouteTable {
  isMain: boolean;
  subnetIds: readonly string[];
  /** Of 0.0.0.0/0; null: none. */
  defaultRoute: { target: string; isBlackhole: boolean } | null;
}

export interface Network {
  /** Ids of the VPCs that were asked for: the configured one, or the default one. */
  vpcIds: Read<string[]>;
  subnets: Read<Subnet[]>;
  routeTables: Read<RouteTable[]>;
  /** Names of services, such as com.amazonaws.us-east-1.ssm. */
  endpoints: Read<string[]>;
}

export type LaunchTry =
  | { outcome: 'allowed' }
  | { outcome: 'refused'; reason: string; decoded: DecodedRefusal | null }
  | { outcome: 'fails'; error: string; reason: string };

export interface DecodedRefusal {
  action: string;
  resource: string;
  /** A statement denies it; without, none allows it. */
  isExplicit: boolean;
  /** Ids of the statements that deny. */
  statements: string[];
}

export interface BenchmarkFacts {
  network: Network;
  /** As EC2 says it: alias/aws/ebs, or the ARN of a key. */
  ebsKeyId: Read<string>;
  vcpuQuota: Read<number>;
  /** Null: it was not tried. */
  launch: { instanceType: string; subnetId: string; tried: Read<LaunchTry> } | null;
}

import { S3Client } from '@aws-sdk/client-s3';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { ownResources } from '../../adapters/aws/session.ts';

/** The store of runs in this Region. */
export const runStore = (bucket: string): RunStore => new RunStore(new S3Client(ownResources), bucket);

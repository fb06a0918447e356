/** EC2's describing calls of named things alone, by a filter: an id that is gone then is no error. */
import type { Filter } from '@aws-sdk/client-ec2';
import { chunk } from 'es-toolkit/array';

/** EC2's most in one filter (EC2 user guide, "Filter using the CLI": 200 values, read 2026-11-22). */
const maxFilterValues = 200;

/** The requests that ask for these; one that asks for all where no ids are given. */
export const requestsByIds = (
  name: 'volume-id' | 'instance-id',
  ids: readonly string[] | undefined,
): { Filters?: Filter[] }[] =>
  ids === undefined
    ? [{}]
    : chunk(ids, maxFilterValues).map((Values) => ({ Filters: [{ Name: name, Values }] }));

import { ServiceError } from '../service-error.ts';

/** AWS would answer this; this stand-in cannot, and says so rather than answer something else. */
export const notSupported = (what: string): ServiceError =>
  new ServiceError('NotSupportedByStandIn', `The local Systems Manager does not support ${what}.`);

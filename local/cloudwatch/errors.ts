/** Errors that CloudWatch gives in several places. */
import { ServiceError } from '../service-error.ts';

/** Its query-protocol code is ValidationError; SDKs that speak JSON raise the shape's name. */
export const validationError = (message: string): ServiceError =>
  new ServiceError('ValidationException', message);

export const invalidParameterValue = (message: string): ServiceError =>
  new ServiceError('InvalidParameterValueException', message);

export const invalidNextToken = (): ServiceError =>
  new ServiceError('InvalidNextToken', 'The NextToken is invalid: it does not belong to this request.');

/** AWS would answer this; this stand-in cannot, and says so rather than answer something else. */
export const notSupported = (what: string): ServiceError =>
  new ServiceError('NotSupportedByStandIn', `The local CloudWatch does not support ${what}.`);

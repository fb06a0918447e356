/** An error as the CloudWatch API gives it: named by the exception's shape, so that the SDK raises it by that name. */
export class ServiceError extends Error {
  readonly shape: string;
  readonly status: number;
  /** Members of the exception besides its message. */
  readonly details: Record<string, unknown>;

  constructor(shape: string, message: string, status = 400, details: Record<string, unknown> = {}) {
    super(message);
    this.shape = shape;
    this.status = status;
    this.details = details;
  }
}

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

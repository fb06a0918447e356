/** An error as the Systems Manager API gives it: named by the exception's shape, so that the SDK raises it by that name. */
export class ServiceError extends Error {
  readonly shape: string;
  readonly status: number;

  constructor(shape: string, message: string, status = 400) {
    super(message);
    this.shape = shape;
    this.status = status;
  }
}

/** AWS would answer this; this stand-in cannot, and says so rather than answer something else. */
export const notSupported = (what: string): ServiceError =>
  new ServiceError('NotSupportedByStandIn', `The local Systems Manager does not support ${what}.`);

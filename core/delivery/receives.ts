/** How often the queue of deliveries hands a message out, before it lies with what was not delivered. */
export const maxReceives = 100;

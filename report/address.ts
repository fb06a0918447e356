/** Addresses that links lead to. */
import type { Notification, NotifiedFinding } from '../core/schemas/notification.ts';

/** What a link to a report is called, in every channel. */
export const openReport = 'Open report';

/** More than a link to a report has. */
const maxCharacters = 500;

/** What is safe in an address wherever it is written: nothing that ends a link, formats text or names another host. */
const address = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][\w.%/?#=:;,+-]*)?$/i;

/** What a message says is no address until it looks like one: a queue is no place to trust. */
export const addressOrNull = (url: string | null): string | null =>
  url !== null && url.length <= maxCharacters && address.test(url) && URL.canParse(url) ? url : null;

/** A report says nothing of what is resolved, or was not there yet: then all of it is what there is to open. */
export const linkOf = ({ reportUrl }: Notification, { url }: NotifiedFinding): string | null =>
  addressOrNull(url) ?? addressOrNull(reportUrl);

/**
 * Files on their way into a channel: an address is asked for, the bytes are sent to it, and the upload is completed. Sources:
 * Slack's pages of files.getUploadURLExternal and files.completeUploadExternal, read 2026-11-23.
 */
import { randomBytes } from 'node:crypto';
import type { Reply } from '../http.ts';
import { SlackRefusal } from './refused.ts';

export interface Upload {
  id: string;
  filename: string;
  length: number;
  altText: string | null;
  secret: string;
  bytes: Buffer | null;
  isCompleted: boolean;
}

const maxAltText = 1_000;

/** Raw, or as the one part of a form that is a file. */
async function contentOf(contentType: string, body: Buffer): Promise<Buffer> {
  if (!/^multipart\/form-data\b/i.test(contentType)) return body;
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const parts = form as unknown as Iterable<[string, string | Blob]>;
  const file = [...parts].map(([, value]) => value).find((value) => typeof value !== 'string');
  return file === undefined ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer());
}

const text = (status: number, body: string): Reply => ({ status, body, contentType: 'text/plain' });

export class Uploads {
  all: Upload[] = [];
  private made = 0;

  begin(filename: string, length: number, altText: string | null): Upload {
    if (filename === '' || length === 0)
      throw new SlackRefusal('missing_argument', 'filename and length are needed');
    if (altText !== null && altText.length > maxAltText) {
      throw new SlackRefusal(
        'alt_txt_too_large',
        `alt_txt has ${altText.length} characters of ${maxAltText}`,
      );
    }
    this.made++;
    const upload = {
      ...{ id: `F${String(this.made).padStart(8, '0')}`, filename, length, altText },
      ...{ secret: randomBytes(12).toString('hex'), bytes: null, isCompleted: false },
    };
    this.all.push(upload);
    return upload;
  }

  /** Slack says no more than that another status than 200 is a failure. */
  async take(id: string, secret: string, contentType: string, body: Buffer): Promise<Reply> {
    const upload = this.all.find((one) => one.id === id && one.secret === secret);
    if (upload === undefined) return text(404, 'no upload has this address');
    const bytes = await contentOf(contentType, body);
    if (bytes.length !== upload.length) {
      return text(400, `${bytes.length} bytes came, ${upload.length} were announced`);
    }
    upload.bytes = bytes;
    return text(200, `OK - ${bytes.length}`);
  }

  /** All of them or none. */
  complete(files: readonly { id: string; title?: string | undefined }[]): { id: string; title: string }[] {
    const uploads = files.map(({ id, title }) => {
      const upload = this.all.find((one) => one.id === id);
      if (upload === undefined || upload.bytes === null || upload.isCompleted) {
        const reason = upload?.isCompleted === true ? 'it was completed before' : 'nothing was sent to it';
        throw new SlackRefusal('file_not_found', `${id}: ${reason}`);
      }
      return { upload, title: title ?? upload.filename };
    });
    return uploads.map(({ upload, title }) => {
      upload.isCompleted = true;
      return { id: upload.id, title };
    });
  }
}

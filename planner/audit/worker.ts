/** The audit of files, in a worker: the page stays usable, and what is read is forgotten with the worker. */
import type { TextFile } from '../../adapters/files/text-file.ts';
import { BadInput, Unreadable } from '../../core/errors.ts';
import { bytesPerMiB } from '../../core/units.ts';
import { lineOf } from '../picked-file.ts';
import { auditOf, type FilesByKind, queriesOf } from './audit-job.ts';
import { FileArchive } from './file-archive.ts';
import { isGzip, maxFileMiB } from './given-files.ts';
import type { PostedFile, PostedJob, Progress, WorkerMessage } from './messages.ts';

/** Of workers alone, which the types of pages do not have. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const chunkBytes = 4 * bytesPerMiB;
const tell = (message: WorkerMessage): void => postMessage(message);
const tellProgress = (progress: Progress): void => tell({ of: 'progress', progress });

/** @throws BadInput: it is no whole gzip, or is too large unpacked. */
async function unpacked({ name, file }: PostedFile): Promise<Blob> {
  if (typeof DecompressionStream === 'undefined')
    throw new BadInput(`${name}: is gzip, which this browser cannot unpack; unpack it first`);
  let bytes = 0;
  // Kept here: what reads the stream may put an error of its own in the place of this one.
  let problem: string | null = null;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxFileMiB * bytesPerMiB)
        problem ??= `${name}: has more than ${maxFileMiB} MiB unpacked, the most that this page reads of a file; ask CloudWatch in smaller files (stripewise audit queries)`;
      if (problem === null) controller.enqueue(chunk);
      else controller.error(new BadInput(problem));
    },
  });
  const unpacking = file.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(counted);
  try {
    return await new Response(unpacking).blob();
  } catch (error) {
    if (problem !== null) throw new BadInput(problem, { cause: error });
    throw new BadInput(`${name}: is no whole gzip file; pack it again, or give it unpacked`, {
      cause: error,
    });
  }
}

async function plainFile(posted: PostedFile): Promise<Blob> {
  const beginning = new Uint8Array(await posted.file.slice(0, 2).arrayBuffer());
  return isGzip(beginning) ? unpacked(posted) : posted.file;
}

/** A file that is read once, a chunk at a time, so that none of it stays. */
function fileOf({ name, file }: PostedFile, place: { file: number; files: number }): TextFile {
  const reader = new FileReaderSync();
  return {
    name,
    text: () => new TextDecoder().decode(reader.readAsArrayBuffer(file)),
    *chunks() {
      for (let start = 0; start < file.size; start += chunkBytes) {
        tellProgress({ of: 'reading', name, doneBytes: start, bytes: file.size, ...place });
        let bytes: Uint8Array;
        try {
          bytes = new Uint8Array(reader.readAsArrayBuffer(file.slice(start, start + chunkBytes)));
        } catch (error) {
          throw new BadInput(
            `${name}: cannot be read: ${lineOf(error)}; if it changed since, give it again`,
            { cause: error },
          );
        }
        yield bytes;
      }
      tellProgress({ of: 'reading', name, doneBytes: file.size, bytes: file.size, ...place });
    },
  };
}

async function filesOf(posted: FilesByKind<PostedFile>): Promise<FilesByKind> {
  const files = Object.values(posted).reduce((total, ofKind) => total + ofKind.length, 0);
  let file = 0;
  const opened = async (ofKind: readonly PostedFile[]): Promise<TextFile[]> => {
    const all: TextFile[] = [];
    for (const one of ofKind)
      all.push(fileOf({ ...one, file: await plainFile(one) }, { file: ++file, files }));
    return all;
  };
  // In the order in which they are read.
  const instances = await opened(posted.instances);
  const volumes = await opened(posted.volumes);
  const modifications = await opened(posted.modifications);
  return { instances, volumes, modifications, metrics: await opened(posted.metrics) };
}

async function done(job: PostedJob): Promise<WorkerMessage> {
  if (job.of === 'queries') {
    const files = await filesOf({ metrics: [], modifications: [], ...job.files });
    return { of: 'queries', queries: queriesOf({ ...job, files, now: new Date() }) };
  }
  const archive = job.archive === null ? null : new FileArchive(job.archive);
  const report = await auditOf(
    { ...job, files: await filesOf(job.files), archive },
    {
      evaluated: (evaluated, total) =>
        tellProgress({
          ...{ of: 'evaluating', done: evaluated, total },
          what: archive === null ? 'volumes' : 'parts',
        }),
    },
  );
  return { of: 'report', report };
}

function problemOf(error: unknown): string {
  if (error instanceof BadInput || error instanceof Unreadable) return error.message;
  return `The audit failed: ${lineOf(error)}. Leave out files to see with which it does.`;
}

export function startWorker(): void {
  addEventListener('message', ({ data }: MessageEvent<PostedJob>) => {
    done(data).then(tell, (error: unknown) => tell({ of: 'failed', problem: problemOf(error) }));
  });
}

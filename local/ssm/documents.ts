/** Documents: those that were deployed into MiniStack, which keeps them. */
import { GetDocumentCommand, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm';
import { ServiceError } from '../service-error.ts';
import type { Document } from './hosts.ts';

/** @throws ServiceError where there is no such document or version. */
export type FindDocument = (region: string, name: string, version: string) => Promise<Document>;

/** @param endpoint of MiniStack. @param account whose documents they are. */
export function deployedDocuments(endpoint: string, account: string): FindDocument {
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  return async (region, name, version) => {
    const client = new SSMClient({ endpoint, region, credentials });
    try {
      const found = await client.send(new GetDocumentCommand({ Name: name, DocumentVersion: version }));
      const { Name = name, DocumentVersion = '', Content = '' } = found;
      return { name: Name, version: DocumentVersion, content: Content };
    } catch (error) {
      if (!(error instanceof SSMServiceException)) throw error;
      throw new ServiceError(error.name, error.message, error.$metadata.httpStatusCode);
    } finally {
      client.destroy();
    }
  };
}

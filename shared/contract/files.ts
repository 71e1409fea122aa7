/** Uploads of input files, and the download that file tokens lead to. */
import { Type } from 'typebox';
import { closed, get, needsOn, post, tokenAccess } from './endpoint.ts';

/** Parts: ActivityInputId, LinkId (may be empty), then the files. Failures contain `Message`. */
export const uploadFiles = post('/api/files/upload', {
  access: needsOn('sk.RunActivity'),
  summary: 'Upload files for an input',
  transport: 'multipart',
  parts: { result: closed({ Items: Type.Array(closed({ Id: Type.String(), Name: Type.String() })) }) },
});

export const downloadFile = get('/api/files/download/:token', {
  access: tokenAccess,
  summary: 'Download the file of a token; tokens are valid for two minutes',
  transport: 'file',
  parts: { params: closed({ token: Type.String({ minLength: 20, maxLength: 100, pattern: '^[A-Za-z0-9_-]+$' }) }) },
});

/** Values that an input with the usage StaticFolder can be preset to. */
export const listStaticFolders = get('/api/files/staticFolders', {
  access: needsOn('sk.EditActivity'),
  summary: 'List the server folders whose files activities can read',
  parts: { result: closed({ Items: Type.Array(closed({ FolderKey: Type.String(), Name: Type.String() })) }) },
});

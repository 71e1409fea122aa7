/** Squashes the migrations into the schema for SQL Server test databases, and generates the row types: `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { makeRowTypes, readTableColumns, ROW_TYPES_FILE } from './make-row-types.ts';
import { makeSchema } from './make-schema.ts';
import { SCHEMA_FILE } from './sql-server-schema.ts';

writeFileSync(SCHEMA_FILE, await makeSchema());
writeFileSync(ROW_TYPES_FILE, makeRowTypes(await readTableColumns()));
process.stdout.write(`${SCHEMA_FILE}\n${ROW_TYPES_FILE}\n`);

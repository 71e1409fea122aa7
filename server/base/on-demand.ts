/**
 * Libraries that few portals or calls need. Loading them at every start would make it a sixth slower, so they are
 * loaded at first use.
 */
import { createRequire } from 'node:module';
import type * as NodeSaml from '@node-saml/node-saml';
import type * as Tedious from 'tedious';

const require = createRequire(import.meta.url);

/** The driver of SQL Server. */
export const tedious = (): typeof Tedious => require('tedious') as typeof Tedious;

/** Sign-on by SAML 2.0. */
export const nodeSaml = (): typeof NodeSaml => require('@node-saml/node-saml') as typeof NodeSaml;

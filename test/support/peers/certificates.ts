/** Keys and certificates for test servers, generated for each run. */
import { generate } from 'selfsigned';

export interface KeyAndCertificate {
  /** PEM. */
  key: string;
  certificate: string;
}

/** Creates a self-signed certificate, for signing messages or as an authority. */
export async function makeCertificate(
  commonName: string,
  options: { isAuthority?: boolean } = {},
): Promise<KeyAndCertificate> {
  const { isAuthority = false } = options;
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: commonName }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      { name: 'keyUsage', keyCertSign: isAuthority, digitalSignature: true, critical: true },
    ],
  });
  return { key, certificate };
}

/** Creates a certificate for a TLS server on this machine, valid only for localhost. */
export async function makeServerCertificate(authority: KeyAndCertificate): Promise<KeyAndCertificate> {
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    ca: { key: authority.key, cert: authority.certificate },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  return { key, certificate };
}

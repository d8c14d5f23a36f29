import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { billOfMaterials } from '../../../lib/packaging/bill-of-materials.ts'
import { packedManifest } from '../../../lib/packaging/packed-manifest.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const make = () => billOfMaterials(ROOT, packedManifest(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))))

describe('a bill of materials', () => {
  // As it is read from the file: what is undefined is not there.
  const bill = JSON.parse(JSON.stringify(make()))
  const refs: string[] = [bill.metadata.component, ...bill.components].map(component => component['bom-ref'])

  it('a bill of materials has the fields that CycloneDX requires, in their form', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/), version: 1 })
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('every component of a bill of materials has type, name, version, address and a reference of its own', () => {
    expect(bill.components.length).toBeGreaterThan(20)
    for (const component of bill.components) {
      expect(component, component.name).toMatchObject({
        type: 'library',
        name: expect.stringMatching(/./),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        purl: expect.stringMatching(/^pkg:npm\/.+@\d/),
        'bom-ref': expect.stringMatching(/./),
      })
    }
    expect(new Set(refs).size).toBe(refs.length)
  })

  it('the dependencies of a bill of materials refer to its components, each once', () => {
    const edges: { ref: string; dependsOn?: string[] }[] = bill.dependencies
    expect(edges.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted())
    expect(edges.flatMap(({ dependsOn = [] }) => dependsOn).filter(ref => !refs.includes(ref))).toEqual([])
  })

  it('the same packages make the same bill', () => {
    expect(make()).toEqual(make())
  })
})

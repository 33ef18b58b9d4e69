"""The bill of materials: what is in the packages and in the binaries, as CycloneDX 1.6 in JSON (https://cyclonedx.org/docs/1.6/json/)."""
import datetime
import json
import uuid

from releasing import files


def _component(component):
    found = {"type": "library", "bom-ref": component.purl, "name": component.name, "version": component.version,
             "licenses": [{"expression": component.license}], "purl": component.purl,
             "externalReferences": [{"type": "website", "url": component.url}]}
    if component.revision:
        found["externalReferences"].append({"type": "vcs", "url": component.url, "comment": f"commit {component.revision}"})
    return found


def document(version, epoch, binaries, found):
    """
    - binaries: the files, as they are in the packages, by their path there.
    - found: what is compiled into them.
    """
    aisle = f"pkg:generic/aisle@{version}"
    programs = [{"type": "file", "bom-ref": name, "name": name, "version": version, "hashes": [{"alg": "SHA-256", "content": files.sha256(path)}]}
                for name, path in sorted(binaries.items())]
    parts = sorted(map(_component, found), key=lambda component: component["bom-ref"])
    links = [{"ref": aisle, "dependsOn": sorted(binaries)}]
    links += [{"ref": name, "dependsOn": sorted({component.purl for component in found if path.name in component.binaries})}
              for name, path in sorted(binaries.items())]
    told = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "tools": {"components": [{"type": "application", "name": "tools/release", "version": version}]},
            "component": {"type": "application", "bom-ref": aisle, "name": "aisle", "version": version, "purl": aisle,
                          "licenses": [{"expression": "MIT"}]},
        },
        "components": programs + parts, "dependencies": links,
    }
    # A number of its own for each content, and the same for the same.
    told["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, aisle + json.dumps(told, sort_keys=True))}"
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"

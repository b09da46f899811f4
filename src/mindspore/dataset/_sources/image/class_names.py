"""The names of the classes of datasets that do not hold them, in the order of their numbers."""

from __future__ import annotations

_FLOWERS = """
pink primrose, hard-leaved pocket orchid, canterbury bells, sweet pea, english marigold, tiger lily, moon orchid, bird
of paradise, monkshood, globe thistle, snapdragon, colt's foot, king protea, spear thistle, yellow iris, globe-flower,
purple coneflower, peruvian lily, balloon flower, giant white arum lily, fire lily, pincushion flower, fritillary, red
ginger, grape hyacinth, corn poppy, prince of wales feathers, stemless gentian, artichoke, sweet william, carnation,
garden phlox, love in the mist, mexican aster, alpine sea holly, ruby-lipped cattleya, cape flower, great masterwort,
siam tulip, lenten rose, barbeton daisy, daffodil, sword lily, poinsettia, bolero deep blue, wallflower, marigold,
buttercup, oxeye daisy, common dandelion, petunia, wild pansy, primula, sunflower, pelargonium, bishop of llandaff,
gaura, geranium, orange dahlia, pink-yellow dahlia?, cautleya spicata, japanese anemone, black-eyed susan, silverbush,
californian poppy, osteospermum, spring crocus, bearded iris, windflower, tree poppy, gazania, azalea, water lily,
rose, thorn apple, morning glory, passion flower, lotus, toad lily, anthurium, frangipani, clematis, hibiscus,
columbine, desert-rose, tree mallow, magnolia, cyclamen, watercress, canna lily, hippeastrum, bee balm, ball moss,
foxglove, bougainvillea, camellia, mallow, mexican petunia, bromelia, blanket flower, trumpet creeper, blackberry lily
"""

_CALTECH = """
Faces, Faces_easy, Leopards, Motorbikes, accordion, airplanes, anchor, ant, barrel, bass, beaver, binocular, bonsai,
brain, brontosaurus, buddha, butterfly, camera, cannon, car_side, ceiling_fan, cellphone, chair, chandelier,
cougar_body, cougar_face, crab, crayfish, crocodile, crocodile_head, cup, dalmatian, dollar_bill, dolphin, dragonfly,
electric_guitar, elephant, emu, euphonium, ewer, ferry, flamingo, flamingo_head, garfield, gerenuk, gramophone,
grand_piano, hawksbill, headphone, hedgehog, helicopter, ibis, inline_skate, joshua_tree, kangaroo, ketch, lamp,
laptop, llama, lobster, lotus, mandolin, mayfly, menorah, metronome, minaret, nautilus, octopus, okapi, pagoda, panda,
pigeon, pizza, platypus, pyramid, revolver, rhino, rooster, saxophone, schooner, scissors, scorpion, sea_horse,
snoopy, soccer_ball, stapler, starfish, stegosaurus, stop_sign, strawberry, sunflower, tick, trilobite, umbrella,
watch, water_lilly, wheelchair, wild_cat, windsor_chair, wrench, yin_yang
"""


def _numbered(names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(" ".join(names.split()).split(", "))}


FLOWERS_102 = _numbered(_FLOWERS)
CALTECH_101 = _numbered(_CALTECH)
